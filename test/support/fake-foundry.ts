/**
 * A FAKE Foundry world, for tests: no Foundry ran here. It does what is known of Foundry 13 and 14:
 * dotted keys are expanded, objects merged, arrays replaced as a whole, embedded collections
 * upserted by _id, and a hook that says no, or an update that changes nothing, resolves to undefined.
 */
import type { Game, LiveCollection, LiveDocument } from '../../src/providers/foundry/globals.js';

type Data = Record<string, unknown>;

export type Hook = (event: 'preCreate' | 'preUpdate' | 'preDelete', type: string, changes: Data) => boolean | undefined;

export type FakeWorld = {
  game: Omit<Game, 'folders'> & { folders: Map<string, FakeFolder> };
  fromUuid(uuid: string): Promise<FakeDocument | null>;
  addFolder(id: string, type: string, parent?: string): void;
  /** Said before every change: false cancels it. */
  hook: Hook;
  /** Whether the user may change documents. */
  mayModify: boolean;
  /** Properties that the data model of the world drops or keeps as they are. */
  frozen: string[];
  /** Every payload that reached a document. */
  updates: Data[];
};

export type FakeFolder = { id: string; name: string; type: string; folder: FakeFolder | null };

const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys with dots become objects, at every level; numbers in them are keys like all others. */
function expandObject(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const expanded: Data = {};
  for (const [key, inner] of Object.entries(value)) {
    const keys = key.split('.');
    const last = keys.pop() as string;
    let at = expanded;
    for (const one of keys) {
      if (!isRecord(at[one])) at[one] = {};
      at = at[one] as Data;
    }
    at[last] = expandObject(inner);
  }
  return expanded;
}

const embeddedIn: Record<string, string[]> = {
  Actor: ['items', 'effects'],
  Item: ['effects'],
  JournalEntry: ['pages'],
};

/** Merges changes, and says whether anything became another value. `-=` keys remove: nothing here may send one. */
function merge(target: Data, changes: Data): boolean {
  let differs = false;
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith('-=') || key.startsWith('==')) throw new Error(`A command reached the world: ${key}`);
    const old = target[key];
    if (isRecord(value) && isRecord(old)) differs = merge(old, value) || differs;
    else if (JSON.stringify(old) !== JSON.stringify(value)) {
      // An array that meets an object with numbers for keys is lost: this is what whole arrays avoid.
      target[key] = structuredClone(value);
      differs = true;
    }
  }
  return differs;
}

function upsert(existing: Data[], changes: Data[], newId: () => string): Data[] {
  const result = structuredClone(existing);
  for (const change of changes) {
    const known = result.find(({ _id }) => _id === change._id);
    if (known) merge(known, change);
    else result.push({ ...structuredClone(change), _id: change._id ?? newId() });
  }
  return result;
}

export class FakeDocument implements LiveDocument {
  readonly source: Data;
  readonly type: string;
  private readonly world: FakeWorld;
  private readonly gone: () => void;

  constructor(world: FakeWorld, type: string, source: Data, gone: () => void) {
    this.world = world;
    this.type = type;
    this.source = source;
    this.gone = gone;
  }

  get id(): string {
    return this.source._id as string;
  }

  get uuid(): string {
    return `${this.type}.${this.id}`;
  }

  get folder(): FakeFolder | null {
    return this.world.game.folders.get(String(this.source.folder)) ?? null;
  }

  toObject(): Data {
    return structuredClone(this.source);
  }

  canUserModify(): boolean {
    return this.world.mayModify;
  }

  async update(data: Data): Promise<FakeDocument | undefined> {
    this.world.updates.push(structuredClone(data));
    const changes = expandObject(data) as Data;
    if (changes.name === '')
      throw Object.assign(new Error('name: may not be a blank string'), { name: 'DataModelValidationError' });
    if (this.world.hook('preUpdate', this.type, changes) === false) return undefined;
    for (const key of this.world.frozen) delete changes[key];
    let differs = false;
    for (const name of embeddedIn[this.type] ?? []) {
      const list = changes[name];
      if (!Array.isArray(list)) continue;
      const before = (this.source[name] as Data[] | undefined) ?? [];
      this.source[name] = upsert(before, list, newId);
      differs = differs || JSON.stringify(before) !== JSON.stringify(this.source[name]);
      delete changes[name];
    }
    // An update that changes nothing is not sent to the server, and resolves to nothing.
    return merge(this.source, changes) || differs ? this : undefined;
  }

  async delete(): Promise<FakeDocument | undefined> {
    if (this.world.hook('preDelete', this.type, {}) === false) return undefined;
    this.gone();
    return this;
  }
}

let made = 0;
/** Sixteen characters, as Foundry's ids have. */
const newId = () => `fake${String(++made).padStart(12, '0')}`;

function fakeCollection(world: FakeWorld, type: string): LiveCollection & { documents: Map<string, FakeDocument> } {
  const documents = new Map<string, FakeDocument>();
  const create = async (data: Data) => {
    const source: Data = { ...(expandObject(structuredClone(data)) as Data), _id: newId() };
    source.folder ??= null;
    if (source.name === undefined)
      throw Object.assign(new Error('name: may not be undefined'), { name: 'DataModelValidationError' });
    if (world.hook('preCreate', type, source) === false) return undefined;
    const document = new FakeDocument(world, type, source, () => documents.delete(document.id));
    documents.set(document.id, document);
    return document;
  };
  return {
    documents,
    documentClass: { create, canUserCreate: () => world.mayModify },
    get contents() {
      return [...documents.values()];
    },
    get: (id) => documents.get(id),
  };
}

const fakeTypes = ['Actor', 'Cards', 'Item', 'JournalEntry', 'Macro', 'Playlist', 'RollTable', 'Scene'];

export function fakeWorld(): FakeWorld {
  const collections = new Map<string, ReturnType<typeof fakeCollection>>();
  const folders = new Map<string, FakeFolder>();
  const world: FakeWorld = {
    game: { user: { name: 'Gamemaster' }, collections, folders },
    async fromUuid(uuid) {
      const [type = '', id = '', embedded, embeddedId] = uuid.split('.');
      const folder = type === 'Folder' ? folders.get(id) : undefined;
      if (folder) return new FakeDocument(world, type, { _id: id, name: folder.name }, () => folders.delete(id));
      const document = collections.get(type)?.documents.get(id);
      if (!document || embedded === undefined) return document ?? null;
      return embeddedDocument(world, document, embedded, embeddedId as string);
    },
    addFolder(id, type, parent) {
      folders.set(id, { id, name: `Folder ${id}`, type, folder: folders.get(parent ?? '') ?? null });
    },
    hook: () => undefined,
    mayModify: true,
    frozen: [],
    updates: [],
  };
  for (const type of fakeTypes) collections.set(type, fakeCollection(world, type));
  return world;
}

/** An entry of an embedded collection, as a document of its own. */
function embeddedDocument(world: FakeWorld, parent: FakeDocument, type: string, id: string): FakeDocument | null {
  const list = parent.source[`${type.toLowerCase()}s`] as Data[] | undefined;
  const source = list?.find(({ _id }) => _id === id);
  if (!list || !source) return null;
  return new FakeDocument(world, type, source, () => void list.splice(list.indexOf(source), 1));
}
