/** THE table of tools. What is listed here exists at every door; nothing else does. */
import { auditTools } from './audit/index.js';
import { catalogTools } from './catalog/index.js';
import { contextTools } from './context/index.js';
import type { Tool } from './define.js';
import { doctorTools } from './doctor/index.js';
import { documentTools } from './documents/index.js';
import { folderTools } from './folders/index.js';
import { treeTools } from './tree/index.js';

const table = [
  ...contextTools,
  ...catalogTools,
  ...folderTools,
  ...documentTools,
  ...treeTools,
  ...auditTools,
  ...doctorTools,
] as const;

export const tools: readonly Tool[] = table;

type Table = (typeof table)[number];

export type ToolName = Table['name'];
type Named<Name extends ToolName> = Extract<Table, { name: Name }>;
type Types<Name extends ToolName> = NonNullable<Named<Name>['types']>;
export type ToolInput<Name extends ToolName> = Types<Name>['input'];
export type ToolOutput<Name extends ToolName> = Types<Name>['output'];
