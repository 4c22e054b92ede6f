"""``opvalue help environment``: every environment variable that the tool reads, and what it does."""

from typing import Final

from opvalue.cli.command import declare, json_option
from opvalue.cli.console import Console

VARIABLES: Final = {
    "ALL_PROXY": "The proxy for whatever HTTPS_PROXY and HTTP_PROXY do not name.",
    "CLICOLOR": "0 turns colour off.",
    "CLICOLOR_FORCE": "Anything but empty, 0, no, off or false turns colour on, also where the output is no terminal.",
    "COLUMNS": "How wide help texts, up to 100 columns, and texts on a terminal are, instead of its own width.",
    "DBUS_SESSION_BUS_ADDRESS": "How gh finds the user's keyring.",
    "GH_AW_SECRET_NAMES": "Names of variables whose values are taken out of a session, separated by commas.",
    "GH_CONFIG_DIR": "Where gh keeps its logins.",
    "GH_ENTERPRISE_TOKEN": "The token for any host but github.com and *.ghe.com. A token goes to its own host only.",
    "GH_HOST": "The host of a repository that --repo or GH_REPO names as OWNER/REPO alone. Default: github.com.",
    "GH_REPO": "The repository, [HOST/]OWNER/REPO, where neither --repo nor the run's address names one.",
    "GH_TOKEN": "The token for github.com and *.ghe.com.",
    "GITHUB_ENTERPRISE_TOKEN": "Stands in for GH_ENTERPRISE_TOKEN.",
    "GITHUB_TOKEN": "Stands in for GH_TOKEN.",
    "HOME": "Where git (safe.directory) and gh find the user's settings, and the cache lies. Hidden from evaluators.",
    "HTTPS_PROXY": "The proxy for https addresses.",
    "HTTP_PROXY": "The proxy for http addresses.",
    "LOGNAME": "Whose keyring gh asks.",
    "NO_COLOR": "Anything but empty turns colour off. It beats CLICOLOR_FORCE; --color beats both.",
    "NO_PROXY": "Hosts that are reached without a proxy.",
    "OPVALUE_CACHE_DIR": "Where downloaded artifacts are kept, instead of the system's place for caches.",
    "OPVALUE_DEBUG": "Anything but empty shows the traceback of a failure on standard error.",
    "PATH": "Where git and gh are looked for; bash, jq and bwrap too, but after the system's own folders.",
    "REQUESTS_CA_BUNDLE": "Certificate authorities to trust, where neither SSL_CERT_FILE nor SSL_CERT_DIR is set.",
    "SECRET_*": "Every variable of such a name holds a value that is taken out of a session.",
    "SSL_CERT_DIR": "A folder of certificate authorities to trust, instead of the usual ones.",
    "SSL_CERT_FILE": "A file of certificate authorities to trust, instead of the usual ones.",
    "SUDO_UID": "Who called sudo: git lets root read that user's checkouts.",
    "TERM": "dumb turns colour and progress off.",
    "TMPDIR": "Where private scratch folders are made, and removed again.",
    "USER": "Whose keyring gh asks.",
    "XDG_CACHE_HOME": "Where downloaded artifacts are kept on Linux, if not in HOME.",
    "XDG_CONFIG_HOME": "Where git and gh find the user's settings, if not in HOME.",
    "XDG_RUNTIME_DIR": "How gh finds the user's keyring.",
    "_OPVALUE_COMPLETE": "Set by the completion scripts while a shell completes a line.",
}


@declare("environment", examples=("opvalue help environment", "opvalue help environment --json"))
@json_option
def command(console: Console) -> None:
    """List the environment variables that opvalue reads. An evaluator gets an environment of its own."""
    if console.json:
        console.data({"variables": [{"name": name, "meaning": meaning} for name, meaning in VARIABLES.items()]})
        return
    console.fields(VARIABLES.items())
