"""Whose evidence a request asks for, whether it is declared, and whether it only reads (DESIGN 5). Pure.

Not done here: refusing what is undeclared, which is the broker's by the user's choice, and asking GitHub which
numeric id is whose.
"""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.evidence.scope.attribution import attribute, check_read
    from opvalue.evidence.scope.standing import Attribution, Scope, Standing

__all__ = ["Attribution", "Scope", "Standing", "attribute", "check_read"]

__getattr__ = names_of(
    __name__, {"attribution": ("attribute", "check_read"), "standing": ("Attribution", "Scope", "Standing")}
)
