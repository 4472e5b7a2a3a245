/** The clients that `ai-assist install` knows: where each keeps its servers, and in which form. */
import path from 'node:path';

export type Scope = 'user' | 'project';

/** How a client starts the server. */
export type Launch = { command: string; args: readonly string[] };

/** What paths depend on. */
export type Place = {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** The folder that the project scope means. */
  project: string;
};

export type ClientDefinition = {
  name: string;
  title: string;
  format: 'json' | 'toml';
  /** The key that the servers stand under. */
  key: string;
  files: { user: (place: Place) => string; project?: (place: Place) => string };
  /** What stands in the entry beside the command and its arguments. */
  extra?: Readonly<Record<string, unknown>>;
  /** Whether it starts servers in the folder that is open, so that a project need not be named. */
  startsInProject: boolean;
  /** What a person has to do after the file has changed. */
  afterwards: string;
};

const pathFor = ({ platform }: Place) => (platform === 'win32' ? path.win32 : path.posix);
const inHome =
  (...parts: string[]) =>
  (place: Place) =>
    pathFor(place).join(place.home, ...parts);
const inProject =
  (...parts: string[]) =>
  (place: Place) =>
    pathFor(place).join(place.project, ...parts);

/** A folder of an application: each platform has its own place for these. */
const inApplications =
  (...parts: string[]) =>
  (place: Place) => {
    const { platform, env, home } = place;
    const { join } = pathFor(place);
    if (platform === 'darwin') return join(home, 'Library', 'Application Support', ...parts);
    if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), ...parts);
    return join(env.XDG_CONFIG_HOME || join(home, '.config'), ...parts);
  };

export const clients: readonly ClientDefinition[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    format: 'json',
    key: 'mcpServers',
    files: { user: inHome('.claude.json'), project: inProject('.mcp.json') },
    extra: { type: 'stdio' },
    startsInProject: true,
    afterwards: 'Start Claude Code anew, and type /mcp to see it.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    format: 'json',
    key: 'mcpServers',
    files: { user: inApplications('Claude', 'claude_desktop_config.json') },
    startsInProject: false,
    afterwards: 'Quit Claude Desktop and start it again.',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    format: 'json',
    key: 'mcpServers',
    files: { user: inHome('.cursor', 'mcp.json'), project: inProject('.cursor', 'mcp.json') },
    startsInProject: false,
    afterwards: 'Open the settings of Cursor, then MCP, and switch it on if it is off.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    format: 'json',
    key: 'servers',
    files: { user: inApplications('Code', 'User', 'mcp.json'), project: inProject('.vscode', 'mcp.json') },
    extra: { type: 'stdio' },
    startsInProject: true,
    afterwards: 'Run the command "MCP: List Servers" in VS Code, and start it there.',
  },
  {
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    files: {
      user: (place) => pathFor(place).join(place.env.CODEX_HOME || inHome('.codex')(place), 'config.toml'),
      project: inProject('.codex', 'config.toml'),
    },
    startsInProject: true,
    afterwards: 'Start Codex anew, and type /mcp to see it.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    format: 'json',
    key: 'mcpServers',
    files: { user: inHome('.gemini', 'settings.json'), project: inProject('.gemini', 'settings.json') },
    startsInProject: true,
    afterwards: 'Start the Gemini CLI anew, and type /mcp to see it.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    format: 'json',
    key: 'mcpServers',
    files: { user: inHome('.codeium', 'windsurf', 'mcp_config.json') },
    startsInProject: false,
    afterwards: 'Press refresh in the MCP panel of Windsurf.',
  },
];

export type Entry = Readonly<Record<string, unknown>>;

export const entryFor = ({ extra }: ClientDefinition, { command, args }: Launch): Entry => ({
  ...extra,
  command,
  args: [...args],
});
