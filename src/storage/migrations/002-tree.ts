/** What the tree's own tools need: types, tags, bookmarks, snapshots, views, and who undid what. */
export const tree = `
ALTER TABLE nodes ADD COLUMN child_count INTEGER NOT NULL DEFAULT 0;
UPDATE nodes SET child_count = (SELECT count(*) FROM nodes AS child WHERE child.parent_id = nodes.id);

ALTER TABLE revisions ADD COLUMN kind TEXT NOT NULL DEFAULT 'change';
ALTER TABLE revisions ADD COLUMN reverted_by INTEGER;
CREATE INDEX revisions_by_agent ON revisions (agent, revision);

CREATE INDEX nodes_by_since ON nodes (since);
-- Counts the children of a node as of a revision by those that came later.
CREATE INDEX nodes_by_parent_since ON nodes (parent_id, since);
CREATE INDEX payloads_by_since ON payloads (since);
-- What began between two revisions and has ended since: a diff of old snapshots costs what changed between them.
CREATE INDEX node_history_by_since ON node_history (since);
CREATE INDEX payload_history_by_since ON payload_history (since);

CREATE TABLE payload_types (
  name            TEXT PRIMARY KEY,
  schema          TEXT,
  protected_paths TEXT NOT NULL,
  allowed_parents TEXT
) WITHOUT ROWID;

CREATE TABLE tags (
  node_id TEXT    NOT NULL,
  tag     TEXT    NOT NULL,
  since   INTEGER NOT NULL,
  PRIMARY KEY (node_id, tag)
) WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags (tag, node_id);
CREATE INDEX tags_by_since ON tags (since);
CREATE TABLE tag_history (
  node_id TEXT    NOT NULL,
  tag     TEXT    NOT NULL,
  since   INTEGER NOT NULL,
  until   INTEGER NOT NULL,
  PRIMARY KEY (node_id, tag, since)
) WITHOUT ROWID;
CREATE INDEX tag_history_by_until ON tag_history (until);
CREATE INDEX tag_history_by_since ON tag_history (since);

CREATE TABLE bookmarks (
  label   TEXT    PRIMARY KEY,
  node_id TEXT    NOT NULL,
  since   INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX bookmarks_by_node ON bookmarks (node_id);
CREATE INDEX bookmarks_by_since ON bookmarks (since);
CREATE TABLE bookmark_history (
  label   TEXT    NOT NULL,
  node_id TEXT    NOT NULL,
  since   INTEGER NOT NULL,
  until   INTEGER NOT NULL,
  PRIMARY KEY (label, since)
) WITHOUT ROWID;
CREATE INDEX bookmark_history_by_until ON bookmark_history (until);
CREATE INDEX bookmark_history_by_node ON bookmark_history (node_id);

CREATE TABLE snapshots (
  id       TEXT    PRIMARY KEY,
  label    TEXT    NOT NULL,
  revision INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  agent    TEXT    NOT NULL
) WITHOUT ROWID;
CREATE INDEX snapshots_by_revision ON snapshots (revision);

-- Page tokens are signed with this.
INSERT INTO settings (name, value) VALUES ('page.secret', lower(hex(randomblob(32))));

-- What an agent sees: filters of properties, and which nodes are open. The tree's revision does not count these.
CREATE TABLE view_filters (
  agent    TEXT NOT NULL,
  scope    TEXT NOT NULL,
  included TEXT NOT NULL,
  excluded TEXT NOT NULL,
  PRIMARY KEY (agent, scope)
) WITHOUT ROWID;
CREATE TABLE view_defaults (
  agent    TEXT    NOT NULL,
  root_id  TEXT    NOT NULL,
  expanded INTEGER NOT NULL,
  PRIMARY KEY (agent, root_id)
) WITHOUT ROWID;
-- reach: 0 for the node alone, n for n levels below it too, -1 for all of them. A later entry (turn) wins.
CREATE TABLE view_expansion (
  agent    TEXT    NOT NULL,
  node_id  TEXT    NOT NULL,
  reach    INTEGER NOT NULL,
  expanded INTEGER NOT NULL,
  turn     INTEGER NOT NULL,
  PRIMARY KEY (agent, node_id, reach)
) WITHOUT ROWID;
`;
