/** The table of commands. */
import type { Command } from './command.js';

export const commands: readonly Command[] = [
  {
    name: 'tool',
    summary: 'Call a tool.',
    help: `Usage: ai-assist tool NAME [--flag value …] [--json]
       ai-assist tool NAME --input JSON [--json]
       ai-assist tool NAME --input - [--json]      reads the JSON from standard input

Flags are the tool's arguments in kebab-case: parentId is --parent-id. Objects and lists
are JSON. A switch alone means true, and --no-… means false. Flags win over --input.

  --input JSON   all arguments as one JSON object, or - for standard input
  --json         print the whole answer as JSON
  --help         explain the tool

Examples:
  ai-assist tool add_folder --name "Reading list"
  ai-assist tool list_folders --no-include-children
  ai-assist tool move_folder --name Archive --position '{"placement":"beginning"}'

Exit codes: 0 the call succeeded, 1 it failed, 2 the command could not be understood.`,
    load: () => import('./commands/tool.js'),
  },
  {
    name: 'tools',
    summary: 'List the tools, or explain one.',
    help: `Usage: ai-assist tools [NAME] [--json]

Without a name it lists every tool. With one it shows the arguments, an example and the errors.`,
    load: () => import('./commands/tools.js'),
  },
  {
    name: 'collections',
    summary: 'Manage the collections of documents that belong to a project.',
    help: `Usage: ai-assist collections init [--force]
       ai-assist collections add NAME PATH|URL [--glob PATTERN] [--description TEXT]
       ai-assist collections add NAME --type file --path PATH [--glob PATTERN]
       ai-assist collections add NAME --type pkg --url URL
       ai-assist collections add NAME --type group [--category CATEGORY …] [--description TEXT]
       ai-assist collections remove NAME [--drop]
       ai-assist collections change NAME [--new-name NAME] [--description TEXT] [--category CATEGORY …]
       ai-assist collections update NAME [--add-category CATEGORY …] [--remove-category CATEGORY …]
       ai-assist collections list
       ai-assist collections sync [NAME] [--force] [--dry-run] [--wait]
       ai-assist collections pack [--manifest PATH] [--output PATH]
       ai-assist collections manifest init [--force]

init            makes context.json, which lists the collections
add             adds a folder, or a package by the URL of its manifest (.json) or bundle (.tar.gz, .tgz),
                or a group of categories
remove          takes one out of context.json; --drop also drops its documents from the index
change          replaces what is given and keeps the rest; --description "" clears it
update          takes categories out of a group, then adds others
list            shows each with its source and status
sync            brings the index to what the sources declare; of a group or category, what it draws from
                --wait until all can be found by meaning, too
pack            makes a bundle from a manifest, with hashes; the same files give the same bytes
manifest init   makes a manifest.json to publish the Markdown files of a folder

  --dry-run       show what would be done, and change nothing
  --project DIR   the folder of the project; the default is the working directory
  --json          print the whole answer as JSON

Exit codes: 0 done, 1 a collection failed, 2 the command could not be understood.`,
    load: () => import('./commands/collections.js'),
  },
  {
    name: 'categories',
    summary: 'Name the documents that belong together, by patterns over their paths.',
    help: `Usage: ai-assist categories add NAME [PATTERN …] [--collection NAME] [--description TEXT]
       ai-assist categories remove NAME
       ai-assist categories change NAME [--new-name NAME] [--collection NAME] [--pattern PATTERN …] [--description TEXT]
       ai-assist categories update NAME [--add-pattern PATTERN …] [--remove-pattern PATTERN …]
       ai-assist categories list

add      names the documents of a collection, or of all, whose paths match a pattern; !PATTERN takes away
remove   takes a category out of context.json, and out of every group
change   replaces what is given and keeps the rest; --collection "" draws from all, --description "" clears it
update   takes patterns out, then adds others
list     shows each with its patterns, documents and groups

  --dry-run       show what would be done, and change nothing
  --project DIR   the folder of the project; the default is the working directory
  --json          print the whole answer as JSON

Examples:
  ai-assist categories add guides 'guides/**' '!guides/drafts/**' --collection docs
  ai-assist collections add writing --category guides
  ai-assist content writing`,
    load: () => import('./commands/categories.js'),
  },
  {
    name: 'content',
    summary: 'Print the documents of a category, group or collection as Markdown.',
    help: `Usage: ai-assist content NAME[,NAME …] [--pattern PATTERN] [--max-tokens N]

A name may be narrowed by a pattern behind a slash. A pattern without an extension matches any.
What did not fit in the budget is told on standard error.

  --pattern PATTERN   only documents whose path matches
  --max-tokens N      about how many tokens at the most; the default is 8000
  --project DIR       the folder of the project; the default is the working directory
  --json              print the whole answer as JSON

Examples:
  ai-assist content guides
  ai-assist content 'guides,react/hooks/use-*' --max-tokens 20000`,
    load: () => import('./commands/content.js'),
  },
  {
    name: 'ref',
    summary: 'Search and manage the indexed documents.',
    help: `Usage: ai-assist ref search WORDS [--collection NAME …] [--path GLOB …] [--mode MODE] [-n N]
       ai-assist ref related -c COLLECTION PATH [-n N]
       ai-assist ref read -c COLLECTION PATH [--section HEADING] [--from LINE] [--max-tokens N]
       ai-assist ref ls
       ai-assist ref drop NAME [--force]
       ai-assist ref update -c NAME -d FOLDER [-p PATTERN]     deprecated

search   finds documents by words and by meaning, in all that is synced; "quotes" for a phrase, -word to leave out
related  finds documents that are like one document
read     prints a document, or one section of it
ls       lists what is indexed, of all projects (also: list-collections)
drop     drops a collection from the index; it asks first, unless --force is given
update   the old way to index a folder: use collections add and collections sync

  -c, --collection NAME   only in this one; a name of the project, or an id; may be repeated
  --path GLOB             only documents whose paths match; may be repeated
  --mode MODE             hybrid (the default), keyword or vector
  -n, --limit N           how many documents at the most; 10 by default
  --max-tokens N          about how many tokens the answer may have
  --explain               show the ranks and scores behind each result
  --md, --files           as Markdown, or only the paths

  --project DIR   the folder of the project; the default is the working directory
  --json          print the whole answer as JSON`,
    load: () => import('./commands/ref.js'),
  },
  {
    name: 'index',
    summary: 'Tell how far the index is.',
    help: `Usage: ai-assist index status [--project DIR] [--json]

A sync is done when documents can be found by words. Vectors, which find them by meaning, follow: in the
background of a server, or at once with ai-assist collections sync --wait. Status shows how far they are.`,
    load: () => import('./commands/index.js'),
  },
  {
    name: 'documents',
    summary: 'Read and change structured documents.',
    help: `Usage: ai-assist documents list [--type TYPE] [--folder ID [--only-folder]] [--filter JSON] [--limit N] [--page TOKEN]
       ai-assist documents get ID [--path PATH …] [--type TYPE]
       ai-assist documents create TYPE [FILE] [--folder ID] [--dry-run]
       ai-assist documents update ID [FILE] [--version V] [--dry-run] [--type TYPE]
       ai-assist documents update ID [--updates JSON] [--operations JSON] | [--patch JSON]
       ai-assist documents delete ID [--version V] [--dry-run] [--type TYPE]
       ai-assist documents edit ID [--type TYPE]
       ai-assist documents types

list     shows documents with their ids; --only-folder leaves out the folders inside
get      prints a document as JSON, or the values at paths such as system.bonds
create   makes a document from the JSON of a file, or of standard input
update   changes one. The JSON is an object with updates, operations or patch; an array is a
         JSON Patch; any other object is the updates
delete   removes one; in the library, undo brings it back
edit     opens it in $VISUAL or $EDITOR, and refuses to overwrite what changed meanwhile
types    lists the types of documents

  --type TYPE   the type of the document, where its id does not tell it
  --json        print the whole answer as JSON

Examples:
  echo '{"name":"Tone"}' | ai-assist documents create note
  ai-assist documents update ID --operations '[{"path":"tags","action":"delete","index":0}]'

Exit codes: 0 done, 1 the call failed, 2 the command could not be understood.`,
    load: () => import('./commands/documents.js'),
  },
  {
    name: 'audit',
    summary: 'Read, verify or export the audit log.',
    help: `Usage: ai-assist audit list [--agent NAME] [--tool NAME] [--outcome WORD] [--after N] [--limit N] [--last N] [--json]
       ai-assist audit verify [--json]
       ai-assist audit export

list     shows who called what, when, and with what outcome, oldest first; --last N for the newest
verify   follows the chain of hashes and names the first entry that was changed or is missing
export   writes every entry as a line of JSON`,
    load: () => import('./commands/audit.js'),
  },
  {
    name: 'doctor',
    summary: 'Check that everything works, and say how to mend what does not.',
    help: `Usage: ai-assist doctor [--project DIR] [--json]

It looks at the settings, the database, the audit log, the library, the project file, the
collections, the index and the providers that the settings name. It changes nothing, but like
every command it makes the database if there is none yet.

  --project DIR   the folder of the project; the default is the working directory
  --json          print the whole answer as JSON

Exit codes: 0 no problem was found, 1 there is a problem, 2 the command could not be understood.`,
    load: () => import('./commands/doctor.js'),
  },
  {
    name: 'config',
    summary: 'Show the settings and where each comes from.',
    help: `Usage: ai-assist config [--json]

Settings come from the environment, then from the configuration file, then from the defaults.`,
    load: () => import('./commands/config.js'),
  },
  {
    name: 'mcp',
    summary: 'Serve the tools over MCP on standard input and output.',
    help: `Usage: ai-assist mcp [--toolsets A,B] [--tools A,B] [--exclude-tools A,B] [--read-only]
                      [--role ROLE] [--agent NAME] [--project DIR]

  --toolsets A,B        these toolsets: default (what daily work needs), all, or some of
                        context, catalog, documents, folders, tree, tree-advanced, audit
  --tools A,B           these tools beside the toolsets, or alone where no toolset is named
  --exclude-tools A,B   never these tools
  --read-only           refuse every call that changes something, whatever else is said
  --role ROLE           reader, editor (the default) or owner
  --agent NAME          the name that versions, keys and the audit log know
  --project DIR         the folder of the project; the default is the working directory

The first four are also AI_ASSIST_TOOLSETS, AI_ASSIST_TOOLS, AI_ASSIST_EXCLUDE_TOOLS and
AI_ASSIST_READ_ONLY in the environment.

The server ends when its input ends. Only the protocol goes to standard output.`,
    load: () => import('./commands/mcp.js'),
  },
  {
    name: 'serve',
    summary: 'Serve the tools over MCP on HTTP, for several clients at once.',
    help: `Usage: ai-assist serve [--port N] [--host ADDRESS] [--require-token] [--project DIR]
                        [--toolsets A,B] [--tools A,B] [--exclude-tools A,B] [--read-only]
                        [--allow-hosts A,B] [--allow-origins A,B]

  --port N              the port; 0 for any that is free (default 7333)
  --host ADDRESS        the address to listen on (default 127.0.0.1). On any other than a loopback
                        address, every client needs a token: see ai-assist tokens --help
  --require-token       ask for a token on this machine too; without one, a client here is the
                        configured agent, as an editor
  --project DIR         the folder of the project, where a token names none
  --toolsets A,B        these toolsets: default (what daily work needs), all, or some of
                        context, catalog, documents, folders, tree, tree-advanced, audit
  --tools A,B           these tools beside the toolsets, or alone where no toolset is named
  --exclude-tools A,B   never these tools
  --read-only           refuse every call that changes something, whatever else is said
  --allow-hosts A,B     more names that clients know the server by, as behind a proxy
  --allow-origins A,B   origins of web pages that may call it, such as https://app.example.com

The endpoint is /mcp; /healthz says whether the server is well. A client may narrow what it sees with
the headers X-MCP-Toolsets, X-MCP-Tools, X-MCP-Exclude-Tools and X-MCP-Readonly.
Ctrl-C finishes running calls first; a second one does not wait.`,
    load: () => import('./commands/serve.js'),
  },
  {
    name: 'tokens',
    summary: 'Make, list and revoke the tokens of clients that connect over HTTP.',
    help: `Usage: ai-assist tokens create --agent NAME [--role ROLE] [--toolsets A,B] [--read-only]
                               [--project DIR] [--expires 30d] [--json]
       ai-assist tokens list [--json]
       ai-assist tokens revoke ID [--json]

create   makes a token and shows it once; only its hash is kept
list     shows whose tokens there are, what they allow, and whether they are valid
revoke   ends a token at once

  --agent NAME     the name that versions, keys and the audit log know
  --role ROLE      reader, editor (the default) or owner
  --toolsets A,B   the toolsets it has; without this, those of the server
  --read-only      it may read only, whatever its role
  --project DIR    the folder of its project; without this, the one of the server
  --expires TIME   12h, 30d, 4w, or a date; without this, it does not expire
  --json           print the whole answer as JSON`,
    load: () => import('./commands/tokens.js'),
  },
  {
    name: 'install',
    summary: 'Connect an MCP client: writes its configuration, or shows it.',
    help: `Usage: ai-assist install                    lists the clients and their files
       ai-assist install CLIENT [--scope user|project] [--project DIR] [--name NAME] [-- OPTIONS]
       ai-assist install CLIENT --print     changes nothing, and shows the entry

The clients: claude-code, claude-desktop, cursor, vscode, codex, gemini, windsurf.

  --scope SCOPE   user: for all your projects (the default); project: a file in the project, for all who work on it
  --project DIR   the folder of the project that the server works for
  --name NAME     the name of the server in the client; the default is ai-assist
  --print         show the entry and where it belongs
  --json          print the answer as JSON
  -- OPTIONS      options for the server, such as -- --read-only; see ai-assist mcp --help

What else is in the file stays as it is, with its comments and its order. A copy of the old file is kept
beside it. A file that cannot be understood is left alone, and you are told where it is broken.

Examples:
  ai-assist install claude-code
  ai-assist install cursor --scope project
  ai-assist install claude-desktop --project ~/work/handbook -- --read-only
  ai-assist install codex --print`,
    load: () => import('./commands/install.js'),
  },
  {
    name: 'quickstart',
    summary: 'Show what ai-assist does, in a scratch workspace.',
    help: `Usage: ai-assist quickstart [--keep]

It makes a scratch library in a temporary folder, fills it through the real tools, shows what
happens, and removes it again.

  --keep   leave the scratch library there, and say where it is`,
    load: () => import('./commands/quickstart.js'),
  },
];
