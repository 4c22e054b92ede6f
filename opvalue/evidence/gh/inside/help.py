"""The texts of ``gh help``: what this stand-in does, and that it is one."""

ROOT = """Work with GitHub's API from an evaluator. This is a stand-in for gh: it reads brokered evidence only.

USAGE
  gh <command> [flags]

COMMANDS
  api:      Make a GitHub API request that reads
  auth:     status and token, of a placeholder
  version:  Which gh's manners these are
"""
API = """Make a GitHub API request through the evidence broker and print the answer.

USAGE
  gh api <endpoint> [flags]

FLAGS
      --cache duration        Accepted; an answer is the same all along
  -F, --field key=value       Add a typed parameter in key=value format
  -H, --header key:value      Add a HTTP request header in key:value format
      --hostname string       The GitHub hostname for the request
  -i, --include               Include HTTP response status line and headers in the output
      --input file            The file to use as body for the HTTP request (use "-" to read from standard input)
  -q, --jq string             Query to select values from the response using jq syntax
  -X, --method string         The HTTP method for the request (default "GET")
      --paginate              Make additional HTTP requests to fetch all pages of results
  -p, --preview strings       GitHub API preview names to request (without the "-preview" suffix)
  -f, --raw-field key=value   Add a string parameter in key=value format
      --silent                Do not print the response body
      --slurp                 Use with "--paginate" to return an array of all pages of either JSON arrays or objects
"""
USAGE = "\nUsage:  gh api <endpoint> [flags]\n"
