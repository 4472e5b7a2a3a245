/** The requirements of the agent interface that span many tools, each by its title, through MCP or in process. */
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { tools } from '../../src/tools/index.js';
import type { Envelope } from '../../src/workspace.js';
import { callOver, mcpClient } from '../support/mcp.js';
import { scratchEnv, scratchFolder, scratchWorkspace } from '../support/scratch.js';

async function addFolder(client: Client, name: string, more: object = {}): Promise<Envelope> {
  const { version } = await callOver(client, 'get_node', { nodeId: 'library' });
  return callOver(client, 'add_child', {
    parentNodeId: 'library',
    payloadType: 'folder',
    payloadProps: { name },
    version,
    ...more,
  });
}

describe('Core Agent Operations', () => {
  test('T30 Mutate tree data: a change is validated, applied, and answers the new state', async () => {
    const client = await mcpClient();
    const made = await addFolder(client, 'Work');
    const change = { nodeId: made.nodeId, patch: { name: 'Job' }, version: made.version };
    expect(await callOver(client, 'update_payload', change)).toMatchObject({ success: true, nodeIds: [made.nodeId] });
    expect(await callOver(client, 'get_node', { nodeId: made.nodeId })).toMatchObject({
      node: { payload: { name: 'Job', status: 'active' } },
    });
    const wrong = { ...change, patch: { status: 'lost' } };
    expect(await callOver(client, 'update_payload', wrong)).toMatchObject({
      success: false,
      error_type: 'invalid_argument',
    });
  });
});

describe('Safety and Security; Safety and permissions', () => {
  test('T31 Read-only mode enforcement, Read-only mode: every mutating tool is forbidden', async () => {
    const session = (await scratchWorkspace()).session({ role: 'owner', readOnly: true });
    for (const tool of tools.filter(({ effect }) => effect !== 'read')) {
      const envelope = await session.callUntyped(tool.name, { ...tool.example.input, version: 'r0' });
      expect(envelope, tool.name).toMatchObject({ success: false, error_type: 'forbidden' });
    }
  });

  test('T31 Role-based permissions: a reader reads, an editor changes', async () => {
    const env = scratchEnv(scratchFolder());
    const editor = await mcpClient({ env });
    const reader = await mcpClient({ env, args: ['--role', 'reader'] });
    expect(await addFolder(editor, 'Work')).toMatchObject({ success: true });
    expect(await addFolder(reader, 'Play')).toMatchObject({ success: false, error_type: 'forbidden' });
    expect(await callOver(reader, 'list_children', { nodeId: 'library' })).toMatchObject({
      children: [{ payload: { name: 'Work' } }],
    });
  });
});

describe('Concurrency Control; Concurrency and idempotency', () => {
  test('T32 Version token validation: an outdated token is refused with the current version', async () => {
    const client = await mcpClient();
    const made = await addFolder(client, 'Work');
    await callOver(client, 'update_payload', { nodeId: made.nodeId, patch: { name: 'theirs' }, version: made.version });
    const mine = { nodeId: made.nodeId, patch: { name: 'mine' }, version: made.version };
    expect(await callOver(client, 'update_payload', mine)).toMatchObject({
      error_type: 'conflict',
      currentVersion: 'r2',
    });
  });

  test('T32 Idempotency key handling: duplicates get the result of the original, without side effects', async () => {
    const client = await mcpClient();
    const first = await addFolder(client, 'Work', { idempotencyKey: 'once' });
    expect(await addFolder(client, 'Work', { idempotencyKey: 'once' })).toEqual(first);
    expect(await callOver(client, 'get_node', { nodeId: 'library' })).toMatchObject({ node: { childrenCount: 1 } });
  });
});

describe('Observability and Audit; Audit logging', () => {
  async function recorded(): Promise<{ entries: Record<string, unknown>[]; nodeId: unknown }> {
    const client = await mcpClient({ args: ['--role', 'owner', '--agent', 'ada'] });
    const { nodeId } = await addFolder(client, 'Work');
    await callOver(client, 'remove_node', { nodeId: 'library', version: 'r1' });
    const listed = await callOver(client, 'audit_list', {});
    return { entries: listed.entries as Record<string, unknown>[], nodeId };
  }

  test('T33 Agent action logging, Audit record created for mutations: who did what to which node, and how it ended', async () => {
    const { entries, nodeId } = await recorded();
    expect(entries.find((entry) => entry.tool === 'add_child')).toMatchObject({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      agent: 'ada',
      door: 'mcp',
      outcome: 'succeeded',
      targets: expect.arrayContaining(['library', nodeId]),
    });
  });

  test('T33 Error tracking: a failed call is recorded with its type and text', async () => {
    const client = await mcpClient({ args: ['--role', 'owner'] });
    await callOver(client, 'move_node', { nodeId: 'nope', newParentId: 'library', version: 'r0' });
    await callOver(client, 'list_bookmarks', {});
    const { entries } = await callOver(client, 'audit_list', { tool: 'move_node' });
    expect(entries).toMatchObject([
      { outcome: 'failed', errorType: 'not_found', error: expect.stringContaining('node not found') },
    ]);
  });
});

describe('Rate limiting and batch limits', () => {
  test('T34 Rate limiting, Per-agent rate limit: too many calls fail with rate_limited and retryAfter', async () => {
    const env = scratchEnv(scratchFolder(), { AI_ASSIST_CALLS_PER_MINUTE: '2' });
    const client = await mcpClient({ env });
    for (let call = 0; call < 2; call++) await callOver(client, 'list_bookmarks', {});
    expect(await callOver(client, 'list_bookmarks', {})).toMatchObject({
      success: false,
      error_type: 'rate_limited',
      retryAfter: expect.any(Number),
    });
  });

  test('T34 Batch size limits: more identifiers than allowed fail with invalid_argument and the size that passes', async () => {
    const client = await mcpClient({ env: scratchEnv(scratchFolder(), { AI_ASSIST_MAX_BATCH: '3' }) });
    const nodeIds = ['library', 'library', 'library', 'library'];
    expect(await callOver(client, 'get_common_ancestor', { nodeIds })).toMatchObject({
      error_type: 'invalid_argument',
      maxBatch: 3,
    });
  });
});

describe('Agent tools surface (in-process API); Tool catalog and minimal set', () => {
  const minimal: Record<string, string[]> = {
    get_node: ['nodeId', 'includedProperties', 'excludedProperties'],
    get_view: [
      'rootNodeId',
      'includeViewRoot',
      'defaultExpanded',
      'includedProperties',
      'excludedProperties',
      'depthLimit',
      'pageSize',
      'pageToken',
    ],
    search: ['rootNodeId', 'filters', 'limit', 'pageToken'],
    list_children: ['nodeId', 'limit', 'pageToken'],
    expand_node: ['nodeId'],
    collapse_node: ['nodeId'],
    toggle_node: ['nodeId'],
    expand_all: ['rootNodeId'],
    collapse_all: ['rootNodeId'],
    add_child: ['parentNodeId', 'payloadType', 'payloadProps'],
    update_payload_property: ['nodeId', 'propertyName', 'newValue'],
    remove_node: ['nodeId'],
    move_node: ['nodeId', 'newParentId'],
    export_view: ['rootNodeId', 'includeViewRoot'],
    import_view: ['viewJson', 'payloadTypes', 'rootLookupStrategy'],
    get_path: ['nodeId'],
    get_subtree: ['nodeId', 'depthLimit', 'filters', 'paging'],
    get_common_ancestor: ['nodeIds'],
    search_advanced: ['rootId', 'predicates', 'sortBy', 'limit', 'pageToken'],
    select_nodes: ['queryDsl'],
    copy_subtree: ['sourceId', 'targetParentId', 'mode'],
    clone_node: ['nodeId', 'targetParentId'],
    move_before: ['nodeId', 'siblingId'],
    move_after: ['nodeId', 'siblingId'],
    sort_children: ['parentId', 'byProp', 'direction', 'stable'],
    update_payload: ['nodeId', 'patch'],
    update_nodes: ['filter', 'patch'],
    set_expansion_recursive: ['nodeId', 'expanded', 'maxDepth'],
    set_filters: ['scope', 'included', 'excluded'],
    tag_node: ['nodeId', 'tags'],
    query_by_tag: ['tag'],
    bookmark: ['nodeId', 'label'],
    remove_bookmark: ['label'],
    validate_tree: ['rulesetId'],
    lint_payload: ['nodeId', 'rulesetId'],
    snapshot_create: ['label'],
    snapshot_diff: ['a', 'b'],
    diff_subtree: ['aId', 'bId'],
    export_subtree: ['nodeId', 'includeViewRoot'],
    import_merge: ['json', 'strategy', 'matchBy'],
  };

  test.each(Object.entries(minimal))(
    'T35 Core read tools, Core mutate tools: %s has its arguments',
    (name, expected) => {
      const tool = tools.find((candidate) => candidate.name === name);
      expect(Object.keys(tool?.input.shape ?? {})).toEqual(expect.arrayContaining(expected));
    },
  );
});

describe('Error model; Transport-agnostic contract with in-process API', () => {
  test('T36 Standard error codes: failures carry one of the six, with a message for people', async () => {
    const client = await mcpClient();
    const failures = [
      await callOver(client, 'get_node', { nodeId: 7 }),
      await callOver(client, 'get_node', { nodeId: 'nope' }),
      await callOver(client, 'remove_node', { nodeId: 'nope' }),
      await callOver(client, 'audit_list', {}),
    ];
    expect(failures.map((failure) => failure.error_type)).toEqual([
      'invalid_argument',
      'not_found',
      'conflict',
      'forbidden',
    ]);
    for (const failure of failures) expect(failure.error).toMatch(/\w+ \w+/);
  });

  test('T36 In-process API availability: the tools are callable without any transport', async () => {
    const session = (await scratchWorkspace()).session();
    const made = await session.call('add_child', {
      parentNodeId: 'library',
      payloadType: 'folder',
      payloadProps: { name: 'x' },
      version: 'r0',
    });
    expect(made).toMatchObject({ success: true, version: 'r1' });
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
  });
});
