"""The recurrence plot drawn point by point, as its definition says: the oracle of the counting graders."""

Points = set[tuple[int, int]]


def recurrent(visits: str) -> Points:
    """Return the recurrent points; the main diagonal is left out."""
    places = range(len(visits))
    return {(i, j) for i in places for j in places if i != j and visits[i] == visits[j]}


def on_diagonals(points: Points) -> Points:
    """Return the points with a neighbour on their diagonal."""
    return {(i, j) for i, j in points if (i + 1, j + 1) in points or (i - 1, j - 1) in points}


def vertical_runs(points: Points, size: int) -> list[int]:
    """Return the lengths of the vertical runs of two or more."""
    runs = []
    for j in range(size):
        length = 0
        for i in range(size + 1):
            if (i, j) in points:
                length += 1
                continue
            if length >= 2:
                runs.append(length)
            length = 0
    return runs
