/** The library's public surface. */
export type { Role, SettingValues } from './config/settings.js';
export type { ErrorType, FailureEnvelope } from './errors.js';
export type { Envelope } from './guard/envelope.js';
export { connectWorkspace, type RemoteOptions, type RemoteSession } from './remote.js';
export type { ToolInput, ToolName, ToolOutput } from './tools/index.js';
export {
  type CallOptions,
  type NewToken,
  openWorkspace,
  type Session,
  type SessionOptions,
  type Token,
  type TokenKeeper,
  type ToolResult,
  type Workspace,
  type WorkspaceOptions,
} from './workspace.js';
