/** Headers with which a client asks for fewer tools. They never give more than credentials and start options do. */
import { namesIn, type Selection, type ToolsetName } from '../../tools/selection.js';
import type { Headers } from './gate.js';

export type Narrowing = { selection: Selection; readOnly: boolean };

const toolsetsHeader = 'x-mcp-toolsets';
const toolsHeader = 'x-mcp-tools';
const excludeHeader = 'x-mcp-exclude-tools';
const readOnlyHeader = 'x-mcp-readonly';

/** The part of the headers that narrows, as one text: the same text asks for the same tools. */
export function narrowingText(headers: Headers): string {
  const given = [toolsetsHeader, toolsHeader, excludeHeader, readOnlyHeader].map((name) => textOf(headers, name));
  return given.every((text) => text === undefined) ? '' : JSON.stringify(given);
}

export function readNarrowing(headers: Headers): Narrowing {
  const selection: Selection = {
    toolsets: listIn(headers, toolsetsHeader) as ToolsetName[] | undefined,
    tools: listIn(headers, toolsHeader),
    excludeTools: listIn(headers, excludeHeader),
  };
  const readOnly = textOf(headers, readOnlyHeader)?.toLowerCase() ?? 'false';
  // Whatever else stands there, a client that sends the header wants to be safe.
  return { selection, readOnly: !['false', '0', 'no', 'off', ''].includes(readOnly) };
}

const textOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};

function listIn(headers: Headers, name: string): string[] | undefined {
  const names = namesIn(textOf(headers, name) ?? '');
  return names.length > 0 ? names : undefined;
}
