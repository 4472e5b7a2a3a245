import { expect, test } from 'vitest';
import { onLibrary } from './agent.js';

const folder = (nodeId: string, children: unknown[] = []) => ({
  nodeId,
  payloadType: 'folder',
  payload: { name: nodeId.toUpperCase() },
  children,
});
const note = (payload: object) => ({ nodeId: 'n', payloadType: 'note', payload });
const deep = (levels: number): object =>
  levels === 0 ? folder('leaf') : { ...folder(`l${levels}`, [deep(levels - 1)]) };
const text = (json: string) => json;

const hostile: [string, unknown, string][] = [
  ['a number', 7, 'viewJson'],
  ['text that is no JSON', '{"nodeId":', 'viewJson: not JSON'],
  ['a list', '[]', 'viewJson: must be an object'],
  ['a root that is null', { root: null }, 'viewJson.root: must be an object'],
  ['no payload type', { nodeId: 'library', payload: {} }, 'viewJson.payloadType: must be text'],
  ['a payload that is a list', folder('library', [{ ...note({}), payload: [] }]), 'viewJson.children.0.payload: '],
  ['children that are an object', { ...folder('a'), children: {} }, 'viewJson.children: must be a list'],
  ['a child that is text', folder('a', ['b']), 'viewJson.children.0: must be an object'],
  ['an unknown part', folder('a', [{ ...folder('b'), child: [] }]), 'viewJson.children.0.child: '],
  ['one id twice', folder('a', [folder('b'), folder('b')]), "viewJson.children.1.nodeId: 'b' stands twice"],
  ['an id that is empty', folder('a', [folder('')]), 'viewJson.children.0.nodeId: must be text'],
  ['an id that is a scope', folder('a', [folder('all')]), "viewJson.children.0.nodeId: 'all'"],
  ['an id that is a number', folder('a', [{ ...folder('b'), nodeId: 1 }]), 'viewJson.children.0.nodeId: must be text'],
  ['the library below', folder('a', [folder('library')]), 'viewJson.children.0.nodeId: the library'],
  ['a second library', folder('a', [{ ...folder('b'), payloadType: 'library' }]), 'viewJson.children.0'],
  ['a wrong state', { ...folder('a'), isExpanded: 'yes' }, 'viewJson.isExpanded: '],
  ['a wrong default', { root: folder('a'), defaultExpanded: 1 }, 'viewJson.defaultExpanded: '],
  ['wrong filters', { root: folder('a'), includedProperties: 'name' }, 'viewJson.includedProperties: '],
  ['filters that are no paths', { root: folder('a'), includedProperties: ['a..b'] }, 'viewJson.includedProperties: '],
  ['a number that no payload can hold', '{"payloadType":"note","payload":{"stars":1e400}}', 'viewJson: a number'],
  ['another root id', { root: folder('a'), rootNodeId: 'b' }, 'viewJson.rootNodeId: '],
  ['a later page', { continues: 'a', children: [] }, 'later page'],
  [
    'a wrong property',
    folder('a', [folder('b'), folder('c'), note({ name: 'n', stars: 'many' })]),
    'viewJson.children.2.payload.stars: ',
  ],
  [
    'a guarded property',
    folder('a', [{ ...folder('b'), payload: { name: 'B', Parent: 'a' } }]),
    'viewJson.children.0.payload: ',
  ],
  [
    'a document that may not have children',
    folder('a', [{ ...note({ name: 'n' }), children: [folder('b')] }]),
    'viewJson.children.0.children.0: ',
  ],
  ['200 levels', deep(120), 'deeper than 60 levels'],
  ['200 levels as text', JSON.stringify(deep(200)), 'nested too deeply'],
  [
    'a deep payload as text',
    text(`{"nodeId":"a","payloadType":"free","payload":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`),
    'nested too deeply',
  ],
  ['a prototype as text', text('{"nodeId":"a","payloadType":"free","payload":{"__proto__":{"x":1}}}'), "'__proto__'"],
  ['NUL as text', text('{"nodeId":"a","payloadType":"free","payload":{"a":"\\u0000"}}'), 'NUL'],
];

test.each(hostile)(
  'T246 a fault refuses the whole import with its path and changes nothing: %s',
  async (_, json, error) => {
    await onLibrary(async (library) => {
      const agent = library.agent();
      await agent.add('library', 'folder', { name: 'there' });
      const before = await agent.run('export_subtree', { nodeId: 'library' });
      const failure = await agent.fail('import_view', {
        viewJson: json,
        payloadTypes: {},
        rootLookupStrategy: 'create',
      });
      expect(failure.error).toContain(error);
      expect(failure.error_type).toBe('invalid_argument');
      expect(await agent.run('export_subtree', { nodeId: 'library' })).toEqual(before);
    });
  },
);
