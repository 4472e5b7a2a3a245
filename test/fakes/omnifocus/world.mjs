/**
 * A fake OmniFocus: what Omni Automation gives a script, as far as folders go. Its source is evaluated
 * inside a context of its own, so that every object a script meets is made there, as in the real program.
 * @param {string} stateText
 */
export function omnifocusWorld(stateText) {
  /** @typedef {{ kind: 'folder' | 'project', id: string, name: string, dropped: boolean, children: Section[], parent: Section | null, dead: boolean }} Section */
  /** @typedef {{ kind: 'folder' | 'project', id: string, name: string, dropped?: boolean, children?: Stored[] }} Stored */

  const state = JSON.parse(stateText);
  let nextId = state.nextId;

  /** @param {Stored} stored @param {Section | null} parent @returns {Section} */
  function load({ kind, id, name, dropped = false, children = [] }, parent) {
    /** @type {Section} */
    const section = { kind, id, name, dropped, parent, dead: false, children: [] };
    section.children = children.map((child) => load(child, section));
    return section;
  }
  /** @param {Section} section @returns {Stored} */
  const store = ({ kind, id, name, dropped, children }) => ({ kind, id, name, dropped, children: children.map(store) });

  /** @type {Section} */
  const root = { kind: 'folder', id: '', name: '', dropped: false, parent: null, dead: false, children: [] };
  root.children = state.sections.map((/** @type {Stored} */ stored) => load(stored, root));

  /** Opaque, and of one type only. */
  class Status {
    #label;
    /** @param {string} label */
    constructor(label) {
      this.#label = label;
    }
    toString() {
      return `[object ${this.#label}]`;
    }
  }

  /** @type {WeakMap<object, Section>} */
  const sections = new WeakMap();
  /** @type {Map<Section, object>} */
  const wrappers = new Map();
  /** @type {WeakMap<object, () => { container: Section, index: number }>} */
  const locations = new WeakMap();

  /** @param {object} wrapper */
  function alive(wrapper) {
    const section = sections.get(wrapper);
    if (!section) throw new Error('invalid instance');
    if (section.dead) throw new Error('This object has been deleted');
    return section;
  }

  class ChildInsertionLocation {}
  /** Resolved when it is used, not when it is made. @param {() => { container: Section, index: number }} resolve */
  function location(resolve) {
    const made = new ChildInsertionLocation();
    locations.set(made, resolve);
    return made;
  }
  /** @param {Section} section @param {0 | 1} offset */
  const beside = (section, offset) =>
    location(() => {
      if (section.dead || !section.parent) throw new Error('This object has been deleted');
      return { container: section.parent, index: section.parent.children.indexOf(section) + offset };
    });
  /** @param {Section} container @param {boolean} atEnd */
  const edge = (container, atEnd) =>
    location(() => {
      if (container.dead) throw new Error('This object has been deleted');
      return { container, index: atEnd ? container.children.length : 0 };
    });

  /** @param {Section} section @param {unknown} position */
  function place(section, position) {
    const resolve = locations.get(/** @type {object} */ (position));
    if (!resolve) throw new Error('Expected a Folder.ChildInsertionLocation');
    const target = resolve();
    for (let above = /** @type {Section | null} */ (target.container); above; above = above.parent) {
      if (above === section) throw new Error('Cannot move a folder into itself');
    }
    let { index } = target;
    if (section.parent) {
      const old = section.parent.children.indexOf(section);
      section.parent.children.splice(old, 1);
      if (section.parent === target.container && old < index) index--;
    }
    target.container.children.splice(index, 0, section);
    section.parent = target.container;
  }

  class Folder {
    /** @param {string} name @param {unknown} position */
    constructor(name, position) {
      if (typeof name !== 'string') throw new TypeError('Expected a String');
      /** @type {Section} */
      const section = { kind: 'folder', id: '', name, dropped: false, parent: null, dead: false, children: [] };
      place(section, position);
      section.id = `f${String(nextId++).padStart(4, '0')}_-`;
      wrappers.set(section, this);
      sections.set(this, section);
    }
    /** @param {string} id */
    static byIdentifier(id) {
      const found = below(root).find((section) => section.id === id);
      return found ? wrapped(found) : null;
    }
    get id() {
      return Object.freeze({ primaryKey: alive(this).id, objectClass: null });
    }
    get name() {
      return alive(this).name;
    }
    set name(name) {
      alive(this).name = String(name);
    }
    get status() {
      return alive(this).dropped ? FolderStatus.Dropped : FolderStatus.Active;
    }
    set status(status) {
      if (status !== FolderStatus.Active && status !== FolderStatus.Dropped)
        throw new TypeError('Expected a Folder.Status');
      alive(this).dropped = status === FolderStatus.Dropped;
    }
    get parent() {
      const { parent } = alive(this);
      return parent && parent !== root ? wrapped(parent) : null;
    }
    get folders() {
      return foldersOf(alive(this).children);
    }
    get flattenedFolders() {
      return flattened(alive(this)).map(wrapped);
    }
    get before() {
      return beside(alive(this), 0);
    }
    get after() {
      return beside(alive(this), 1);
    }
    get beginning() {
      return edge(alive(this), false);
    }
    get ending() {
      return edge(alive(this), true);
    }
  }
  const FolderStatus = Object.freeze({
    Active: new Status('Folder.Status: Active'),
    Dropped: new Status('Folder.Status: Dropped'),
  });
  Object.defineProperty(Folder, 'Status', { value: FolderStatus });
  Object.defineProperty(Folder, 'ChildInsertionLocation', { value: ChildInsertionLocation });

  /** @param {Section} section @returns {object} */
  function wrapped(section) {
    const known = wrappers.get(section);
    if (known) return known;
    const made = Object.create(Folder.prototype);
    wrappers.set(section, made);
    sections.set(made, section);
    return made;
  }
  /** @param {Section[]} children */
  const foldersOf = (children) => children.filter((child) => child.kind === 'folder').map(wrapped);
  /** All folders inside one, in the order of the outline. @param {Section} section @returns {Section[]} */
  const below = (section) =>
    section.children.flatMap((child) => (child.kind === 'folder' ? [child, ...below(child)] : []));
  /** The same by levels: the documentation does not say which of the two orders it is. @param {Section} top */
  function byLevel(top) {
    const found = top.children.filter((child) => child.kind === 'folder');
    for (const section of found) found.push(...section.children.filter((child) => child.kind === 'folder'));
    return found;
  }
  /** @param {Section} top */
  const flattened = (top) => (state.byLevel ? byLevel(top) : below(top));
  /** @param {Section} section */
  function kill(section) {
    section.dead = true;
    section.children.forEach(kill);
  }

  class Library extends Array {
    get beginning() {
      return edge(root, false);
    }
    get ending() {
      return edge(root, true);
    }
  }

  const values = {
    Folder,
    Project: { Status: Object.freeze({ Active: new Status('Project.Status: Active') }) },
    /** @param {object[]} moved @param {unknown} position */
    moveSections: (moved, position) =>
      moved.forEach((wrapper) => {
        place(alive(wrapper), position);
      }),
    /** @param {object} wrapper */
    deleteObject: (wrapper) => {
      const section = alive(wrapper);
      section.parent?.children.splice(section.parent.children.indexOf(section), 1);
      kill(section);
    },
  };
  // Members of the database are globals that answer anew each time. There is no object named database.
  Object.defineProperties(globalThis, {
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
    folders: { get: () => foldersOf(root.children) },
    flattenedFolders: { get: () => flattened(root).map(wrapped) },
    library: { get: () => new Library() },
  });

  return () => JSON.stringify({ ...state, nextId, sections: root.children.map(store) });
}
