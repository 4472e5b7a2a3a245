/** What an import brings: the JSON of a view or a subtree, checked and made plain. Every fault names its place. */
import { type Failure, invalidArgument } from '../../../errors.js';
import { EVERYWHERE } from '../filters.js';
import { ROOT_ID } from '../node.js';
import { isRecord, type Payload } from '../payload.js';
import { MOST_LEVELS } from './walk.js';

/** A node of the JSON. */
export type Incoming = {
  /** Where it stands in the JSON, for failures. */
  where: string;
  nodeId: string | undefined;
  /** Name of the payload type as the JSON has it. */
  typeName: string;
  payload: Payload;
  isExpanded: boolean | undefined;
  /** Undefined where the JSON says nothing about children, as for a collapsed node. */
  children: Incoming[] | undefined;
};

/** What the wrapping of a view says. */
export type Wrapping = { included?: string[]; excluded?: string[]; defaultExpanded?: boolean };

export type Import = { root: Incoming; wrapping: Wrapping; path: string[] | undefined };

const LONGEST_ID = 200;
const wrappingKeys = ['rootNodeId', 'includedProperties', 'excludedProperties', 'defaultExpanded', 'root', 'path'];
const nodeKeys = [
  'nodeId',
  'payloadType',
  'payload',
  'isExpanded',
  'childrenCount',
  'children',
  'depthLimited',
  'path',
];

/** Reads the argument: an object, or text that is JSON. Wrapped and bare trees are both fine. */
export function parseImport(given: unknown, argument: string, mostNesting: number): Import {
  const json = typeof given === 'string' ? parseText(given, argument, mostNesting) : given;
  if (!isRecord(json)) throw notAnObject(argument);
  const isWrapped = 'root' in json;
  if (isWrapped) knownKeys(json, wrappingKeys, argument);
  const where = isWrapped ? `${argument}.root` : argument;
  const seen = new Map<string, string>();
  const root = parseNode(isWrapped ? json.root : json, where, 0, seen);
  const { rootNodeId } = json;
  if (isWrapped && rootNodeId !== undefined && rootNodeId !== root.nodeId) {
    throw invalidArgument`${argument}.rootNodeId: is not the nodeId of the root`;
  }
  const path = json.path ?? (isRecord(json.root) ? json.root.path : undefined);
  return { root, wrapping: parseWrapping(json, argument), path: texts(namesOf(path), `${argument}.path`) };
}

/** Text is not looked at before it comes here, so that its nesting is still to be checked. Nothing here recurses. */
function parseText(text: string, argument: string, mostNesting: number): unknown {
  const json = jsonOf(text, argument);
  const pending: { value: unknown; depth: number }[] = [{ value: json, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    // JSON.parse makes Infinity of it, which would be stored as null, past every schema.
    if (typeof value === 'number' && !Number.isFinite(value)) throw invalidArgument`${argument}: a number is too large`;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > mostNesting) throw invalidArgument`${argument}: nested too deeply: at most ${mostNesting} levels`;
    for (const [key, member] of Object.entries(value)) {
      if (FORBIDDEN.has(key) && !Array.isArray(value)) throw invalidArgument`${argument}: key '${key}' is not allowed`;
      pending.push({ value: member, depth: depth + 1 });
    }
  }
  return json;
}

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

function jsonOf(text: string, argument: string): unknown {
  // Escapes can bring what the text itself does not have: NUL, and halves of surrogate pairs.
  if (/\\u0000|\\ud[89a-f]/i.test(text)) checkEscapes(text, argument);
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw invalidArgument`${argument}: not JSON: ${(thrown as Error).message}`;
  }
}

function checkEscapes(text: string, argument: string): void {
  const unescaped = text.replace(/\\(?:u([0-9a-f]{4})|.)/gi, (_, code?: string) =>
    code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16)),
  );
  if (unescaped.includes('\u0000')) throw invalidArgument`${argument}: text must not contain a NUL character`;
  if (!unescaped.isWellFormed()) throw invalidArgument`${argument}: text is not valid Unicode`;
}

function parseNode(json: unknown, where: string, depth: number, seen: Map<string, string>): Incoming {
  if (!isRecord(json)) throw notAnObject(where);
  if ('continues' in json) throw aLaterPage(where);
  if (depth > MOST_LEVELS) throw invalidArgument`${where}: deeper than ${MOST_LEVELS} levels below the root`;
  knownKeys(json, nodeKeys, where);
  const { payloadType, payload = {}, isExpanded } = json;
  if (typeof payloadType !== 'string') throw invalidArgument`${where}.payloadType: must be text`;
  if (!isRecord(payload)) throw invalidArgument`${where}.payload: must be an object`;
  if (isExpanded !== undefined && typeof isExpanded !== 'boolean') {
    throw invalidArgument`${where}.isExpanded: must be true or false`;
  }
  const nodeId = parseId(json.nodeId, `${where}.nodeId`, depth, seen);
  return {
    where,
    nodeId,
    typeName: payloadType,
    payload,
    isExpanded,
    children: parseChildren(json, where, depth, seen),
  };
}

function parseChildren(json: Payload, where: string, depth: number, seen: Map<string, string>) {
  const { children } = json;
  if (children === undefined) return undefined;
  if (!Array.isArray(children)) throw invalidArgument`${where}.children: must be a list`;
  return children.map((child: unknown, index) => parseNode(child, `${where}.children.${index}`, depth + 1, seen));
}

function parseId(id: unknown, where: string, depth: number, seen: Map<string, string>): string | undefined {
  if (id === undefined) return undefined;
  if (typeof id !== 'string' || id === '' || id.length > LONGEST_ID) {
    throw invalidArgument`${where}: must be text of 1 to ${LONGEST_ID} characters`;
  }
  if (id === EVERYWHERE) throw invalidArgument`${where}: '${id}' cannot be the id of a node`;
  if (id === ROOT_ID && depth > 0) throw invalidArgument`${where}: the library cannot stand below another node`;
  const earlier = seen.get(id);
  if (earlier) throw invalidArgument`${where}: '${id}' stands twice, also at ${earlier}`;
  seen.set(id, where);
  return id;
}

function parseWrapping(json: Payload, argument: string): Wrapping {
  if (!('root' in json)) return {};
  const { defaultExpanded } = json;
  if (defaultExpanded !== undefined && typeof defaultExpanded !== 'boolean') {
    throw invalidArgument`${argument}.defaultExpanded: must be true or false`;
  }
  const included = texts(json.includedProperties, `${argument}.includedProperties`);
  const excluded = texts(json.excludedProperties, `${argument}.excludedProperties`);
  return {
    ...(included && { included }),
    ...(excluded && { excluded }),
    ...(defaultExpanded !== undefined && { defaultExpanded }),
  };
}

/** The names of a breadcrumb as searches answer it, without the root; anything else as it is. */
function namesOf(path: unknown): unknown {
  if (!Array.isArray(path) || !path.every(isRecord)) return path;
  return path.filter(({ depth }) => depth !== 0).map(({ name }) => name);
}

function texts(value: unknown, where: string): string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw invalidArgument`${where}: must be a list of texts`;
}

function knownKeys(json: Payload, known: readonly string[], where: string): void {
  const unknown = Object.keys(json).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw invalidArgument`${where}.${unknown}: is not a part of a view or a subtree`.advise(
    `Leave it out. Known parts: ${known.join(', ')}.`,
  );
}

/** All ids of the JSON. */
export function idsOf(root: Incoming): string[] {
  const below = (root.children ?? []).flatMap(idsOf);
  return root.nodeId === undefined ? below : [root.nodeId, ...below];
}

const notAnObject = (where: string): Failure =>
  invalidArgument`${where}: must be an object`.advise('Give the JSON as export_view or export_subtree returned it.');

const aLaterPage = (where: string): Failure =>
  invalidArgument`${where}: is a later page of a view, not a whole one`.advise(
    'Use export_view or export_subtree, which answer on one page.',
  );
