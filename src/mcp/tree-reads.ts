/** The reads behind resources of the library: by selectors where the session has them, else by its daily tools. */
import type { FailureEnvelope } from '../errors.js';
import type { Session } from '../workspace.js';
import { canCall } from './resource-family.js';

export type TreeNode = {
  nodeId: string;
  payloadType: string;
  payload: Record<string, unknown>;
  childrenCount: number;
};

export type TreeReads = {
  /** Names from the root down; an id where a node has no name. */
  pathOf(nodeId: string): Promise<string[]>;
  children(nodeId: string, limit: number): Promise<TreeNode[]>;
  /** Ids of the nodes at a path of names, two at the most: more than one is one too many. */
  atPath(names: readonly string[]): Promise<string[]>;
  /** Ids of nodes whose names have this text in them. */
  named(text: string, limit: number): Promise<string[]>;
};

/** A call that failed, told by whoever asked for it. */
export class ReadFailure extends Error {
  readonly envelope: FailureEnvelope;

  constructor(envelope: FailureEnvelope) {
    super(envelope.error);
    this.envelope = envelope;
  }
}

/** Undefined for a session that cannot read the tree. */
export function treeReads(session: Session): TreeReads | undefined {
  if (canCall(session, ['get_node', 'select_nodes'])) return bySelectors(session);
  if (canCall(session, ['get_node', 'get_view', 'search'])) return byDailyTools(session);
  return undefined;
}

export const nameOf = ({ name }: Record<string, unknown>) => (typeof name === 'string' ? name : undefined);

function bySelectors(session: Session): TreeReads {
  const select = async (queryDsl: string, limit: number) =>
    succeeded(await session.call('select_nodes', { queryDsl, limit })).nodes;
  return {
    pathOf: async (nodeId) => {
      const [itself] = await select(`#${escaped(nodeId)}`, 1);
      return (itself?.path ?? []).map((step) => step.name ?? step.nodeId);
    },
    children: (nodeId, limit) => select(`#${escaped(nodeId)} > *`, limit),
    atPath: async (names) => {
      const steps = names.map((name) => ` > [name="${quoted(name)}"]`);
      return (await select(`:root${steps.join('')}`, 2)).map(({ nodeId }) => nodeId);
    },
    named: async (text, limit) => (await select(`[name*="${quoted(text)}"]`, limit)).map(({ nodeId }) => nodeId),
  };
}

/** Text inside double quotes of a selector. */
const quoted = (text: string) =>
  text.replace(/["\\]/g, '\\$&').replace(/[\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);

/** An id as a selector has it: what is no letter or digit is written by its number. */
const escaped = (id: string) =>
  id.replace(/[^\p{L}\d]|^\d/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `);

/** No tree is deeper than what a view shows. */
const MOST_STEPS = 60;

/** Children are those of the agent's own view: of a node that it has collapsed, there are none to see. */
function byDailyTools(session: Session): TreeReads {
  const find = async (op: 'eq' | 'contains', value: string, limit: number) => {
    const filters = [{ path: 'name', op, value }];
    return succeeded(await session.call('search', { rootNodeId: 'library', filters, limit })).nodes;
  };
  return {
    pathOf: async (nodeId) => {
      const names: string[] = [];
      for (let id: string | null = nodeId; id !== null && names.length < MOST_STEPS; ) {
        const { node }: { node: TreeNode & { parentId: string | null } } = succeeded(
          await session.call('get_node', { nodeId: id }),
        );
        names.unshift(nameOf(node.payload) ?? id);
        id = node.parentId;
      }
      return names;
    },
    children: async (nodeId, limit) => {
      const { view } = succeeded(
        await session.call('get_view', { rootNodeId: nodeId, depthLimit: 1, pageSize: limit + 1 }),
      );
      return ((view.children ?? []) as TreeNode[]).slice(0, limit);
    },
    atPath: async (names) => {
      const last = names.at(-1);
      if (last === undefined) return ['library'];
      const found = await find('eq', last, 200);
      const fits = found.filter(({ path }) => {
        const [, ...below] = path;
        return below.length === names.length && below.every(({ name }, index) => name === names[index]);
      });
      return fits.slice(0, 2).map(({ nodeId }) => nodeId);
    },
    named: async (text, limit) => (await find('contains', text, limit)).map(({ nodeId }) => nodeId),
  };
}

function succeeded<Answer extends { success: boolean }>(answer: Answer): Extract<Answer, { success: true }> {
  if (answer.success) return answer as Extract<Answer, { success: true }>;
  throw new ReadFailure(answer as unknown as FailureEnvelope);
}
