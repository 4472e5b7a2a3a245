/** The library's public surface. */
export type { Role, SettingValues } from './config/settings.js';
export type { ErrorType, FailureEnvelope } from './errors.js';
export type { Envelope } from './guard/envelope.js';
export type { ToolInput, ToolName, ToolOutput } from './tools/index.js';
export {
  type CallOptions,
  openWorkspace,
  type Session,
  type SessionOptions,
  type ToolResult,
  type Workspace,
  type WorkspaceOptions,
} from './workspace.js';
