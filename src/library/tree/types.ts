/** Payload types: what a node may hold, and below what it may stand. */
import { type Failure, invalidArgument } from '../../errors.js';
import type { Sql } from '../../storage/sql.js';
import { type Path, parsePath } from './payload.js';

export type PayloadType = {
  name: string;
  /** JSON Schema of the payload; none: anything goes. */
  schema: Record<string, unknown> | null;
  /** Paths that only an owner changes. */
  protectedPaths: readonly string[];
  /** Types of the nodes that it may stand below; none: any but itself being the root. */
  allowedParents: readonly string[] | null;
  /** Self-payload nodes hold their properties themselves, and share them with no one. */
  selfPayload: boolean;
};

const folderSchema = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 }, status: { enum: ['active', 'dropped'] } },
  required: ['name', 'status'],
  additionalProperties: false,
};

const builtIn: readonly PayloadType[] = [
  {
    name: 'library',
    schema: { type: 'object', maxProperties: 0 },
    protectedPaths: [],
    allowedParents: [],
    selfPayload: true,
  },
  {
    name: 'folder',
    schema: folderSchema,
    protectedPaths: [],
    allowedParents: ['library', 'folder'],
    selfPayload: true,
  },
];

type Row = { name: string; schema: string | null; protectedPaths: string; allowedParents: string | null };

const columns = 'name, schema, protected_paths AS protectedPaths, allowed_parents AS allowedParents';

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

const toType = (row: Row): PayloadType => ({
  name: row.name,
  schema: parsed(row.schema),
  protectedPaths: JSON.parse(row.protectedPaths) as string[],
  allowedParents: parsed(row.allowedParents),
  selfPayload: false,
});

export async function findType(sql: Sql, name: string): Promise<PayloadType | undefined> {
  const own = builtIn.find((type) => type.name === name);
  if (own) return own;
  const row = await sql.get<Row>(`SELECT ${columns} FROM payload_types WHERE name = ?`, [name]);
  return row && toType(row);
}

export async function listTypes(sql: Sql): Promise<PayloadType[]> {
  const rows = await sql.all<Row>(`SELECT ${columns} FROM payload_types ORDER BY name`);
  return [...builtIn, ...rows.map(toType)];
}

export async function requireType(sql: Sql, name: string, argument = 'payloadType'): Promise<PayloadType> {
  const type = await findType(sql, name);
  if (type) return type;
  const known = (await listTypes(sql)).map((one) => one.name).join(', ');
  throw invalidArgument`Invalid ${argument} '${name}': unknown type`.advise(
    `Define it first with define_document_type, or use one of ${known}.`,
  );
}

export async function saveType(sql: Sql, type: Omit<PayloadType, 'selfPayload'>): Promise<void> {
  await sql.run(
    `INSERT INTO payload_types (name, schema, protected_paths, allowed_parents) VALUES (?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET schema = excluded.schema, protected_paths = excluded.protected_paths,
       allowed_parents = excluded.allowed_parents`,
    [
      type.name,
      type.schema && JSON.stringify(type.schema),
      JSON.stringify(type.protectedPaths),
      type.allowedParents && JSON.stringify(type.allowedParents),
    ],
  );
}

/** Refuses a node of a type below a parent of another, where the type names its parents. */
export function checkParentType(type: PayloadType, parentType: string): void {
  if (!type.allowedParents || type.allowedParents.includes(parentType)) return;
  throw wrongParent(type, parentType);
}

function wrongParent({ name, allowedParents }: PayloadType, parentType: string): Failure {
  const allowed = allowedParents?.length ? `It goes below: ${allowedParents.join(', ')}.` : 'It goes below nothing.';
  return invalidArgument`Invalid parent of type '${parentType}': a '${name}' may not stand below it`.advise(allowed);
}

const GUARDED = new Set(['nodeid', 'children', 'parent', 'payloadtype']);

/** Refuses the names that a self-payload node uses for itself. */
export function checkGuarded(type: PayloadType, path: Path, argument: string): void {
  const name = path[0] ?? '';
  if (!type.selfPayload || !GUARDED.has(name.toLowerCase())) return;
  throw invalidArgument`${argument}: '${name}' belongs to the node itself and cannot be set`.advise(
    'Use move_node to change the parent or children. The id and the type of a node stay.',
  );
}

export function parseProtected(paths: readonly string[]): Path[] {
  return paths.map((path) => parsePath(path, 'protectedPaths'));
}
