"""Which fields of GitHub's GraphQL objects stay inside a repository, by their names (DESIGN 5). Pure.

A list of what is known to stay, not of ways out: a field that is not here leads nobody knows where, so its objects are
taken for another repository's. A field without a selection is a value of the object it stands on, and reaches nothing.

Left out on purpose, because they reach other repositories: ``forks``, ``parent``, ``templateRepository``, projects and
packages, ``source`` and ``subject`` of references, ``closer``, linked issues, pull requests and branches, dependencies,
``compare``; and everything of people, teams, topics and apps but what names them.
"""

import enum
from typing import Final


class Context(enum.Enum):
    """On what kind of object a field stands."""

    ROOT = "root"
    INSIDE = "inside"
    """The repository, what belongs to it alone, and lists of that."""
    BRANCH = "branch"
    """The same, where it is a branch: pull requests from it may be another repository's."""
    EVENT = "event"
    """An event of a timeline: some point to commits, branches or issues of other repositories."""
    WRITER = "writer"
    """Who made a commit or a text: what git knows, and the account."""
    PERSON = "person"
    """An account, a team, an app, a topic, another repository that may be named, and lists of those."""
    VALUES = "values"
    """Whose values say nothing further, and which has no objects."""
    COUNTED = "counted"
    """A list that may hold what is not the repository's: its length may be read, nothing else."""
    OUTSIDE = "outside"
    """Wherever that is."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEUTRAL: Final = frozenset({"__typename", "__schema", "__type", "rateLimit"})
"""Fields at the root that say nothing of any repository."""

_WRITERS: Final = _words("author authors committer editor tagger")
_PEOPLE: Final = _words("""
    actor answerChosenBy app assignableUsers assignedActors assignee assignees bot collaborators creator deletedBy
    dismissedBy enabledBy enqueuer headRef headRepository headRepositoryOwner issueType issueTypes lockedBy
    mentionableUsers mentions mergedBy onBehalfOf owner participants pinnedBy publisher pusher reactors
    requestedReviewer resolvedBy reviewer reviewers signer stargazers suggestedActors suggestedReviewers topic
    triggeredBy user users watchers
    """)
_BRANCHES: Final = _words("baseRef branch defaultBranchRef ref refs tag")
_LISTS: Final = _words("edges node nodes")
_INSIDE: Final = _words("""
    annotations answer associatedPullRequests autoMergeRequest baseCommit baseRepository blame branchProtectionRule
    branchProtectionRules category checkRun checkRuns checkSuite checkSuites codeOfConduct comment comments commit
    commitComments commits contactLinks contexts contributingGuidelines dependabotUpdate deployment deploymentReviews
    deployments discussion discussionCategories discussionCategory discussions edges entries environment environments
    file files firstPatchedVersion fundingLinks headCommit highlights history identifiers interactionAbility issue
    issueComment issueOrPullRequest issueTemplates issues label labels languages latestOpinionatedReviews latestRelease
    latestReviews latestStatus licenseInfo location mergeCommit mergeQueue mergeQueueEntry milestone milestones node
    nodes object options originalCommit package pageInfo parents pinnedDiscussions pinnedIssues poll
    potentialMergeCommit primaryLanguage protectionRules pullRequest pullRequestReview pullRequestTemplates
    pullRequests ranges reactionGroups reactions refUpdateRule release releaseAssets releases replies replyTo repository
    repositoryTopics requiredStatusChecks review reviewRequests reviewThreads reviews securityAdvisory
    securityVulnerability signature start end status statusCheckRollup statuses steps submodule submodules tagCommit
    target textMatches thread timelineItems tree userContentEdits vulnerabilityAlert vulnerabilityAlerts workflow
    workflowRun
    """)
_IN_AN_EVENT: Final = _words("label pageInfo review")
_OF_A_PERSON: Final = _words("owner reviewer user")
_NAMES: Final = _words("""
    __typename avatarUrl clientId combinedSlug cursor databaseId endCursor hasNextPage hasPreviousPage id isAuthor
    isCommenter isFork login name nameWithOwner permission prefix resourcePath slug starredAt startCursor totalCount url
    """)
_OF_A_WRITER: Final = _NAMES | {"date", "email"}
_LENGTH: Final = frozenset({"__typename", "totalCount"})

_OF_ACCOUNTS: Final = _words("""
    Actor App Assignee Bot Enterprise EnterpriseUserAccount Mannequin Organization ProfileOwner RepositoryOwner
    RequestedReviewer Team Topic User
    """)
_OWN_EVENTS: Final = frozenset({"MergedEvent"})


def below(name: str, context: Context) -> Context:
    """Return where the selection of the field ``name`` stands. Not for fields at the root."""
    match context:
        case Context.INSIDE | Context.BRANCH | Context.EVENT:
            return _below_the_repository(name, context)
        case Context.PERSON | Context.WRITER if name in _LISTS:
            return context
        case Context.PERSON | Context.WRITER if name in _OF_A_PERSON:
            return Context.PERSON
        case Context.PERSON | Context.WRITER if name == "pageInfo":
            return Context.VALUES
    return Context.OUTSIDE


def narrowed(type_name: str | None, context: Context) -> Context:
    """Return where a fragment's selection stands, by the type it is for; ``None`` for the one it stands on."""
    if type_name is None or context not in {Context.INSIDE, Context.BRANCH, Context.WRITER}:
        return context
    if context is Context.WRITER:
        return context if type_name == "GitActor" else Context.PERSON
    if type_name in _OF_ACCOUNTS:
        return Context.PERSON
    if type_name == "Ref":
        return Context.BRANCH
    return Context.EVENT if type_name.endswith("Event") and type_name not in _OWN_EVENTS else context


def is_open(name: str, context: Context) -> bool:
    """Tell whether the value ``name`` may be read there without leaving the repository."""
    match context:
        case Context.PERSON:
            return name in _NAMES
        case Context.WRITER:
            return name in _OF_A_WRITER
        case Context.COUNTED:
            return name in _LENGTH
    return True


def _below_the_repository(name: str, context: Context) -> Context:
    if name in _WRITERS:
        return Context.WRITER
    if name in _PEOPLE:
        return Context.PERSON
    if context is Context.EVENT:
        return Context.INSIDE if name in _IN_AN_EVENT else Context.COUNTED
    if name in _BRANCHES:
        return Context.BRANCH
    if context is Context.BRANCH and name in _LISTS:
        return context
    if name not in _INSIDE or (context is Context.BRANCH and name == "associatedPullRequests"):
        return Context.COUNTED
    return Context.INSIDE
