/** What happened to the library between two snapshots, looked at with a critical eye. */
import { block, has, namesOf, required, steps, type WorkflowPrompt } from './prompt.js';

export const reviewChange: WorkflowPrompt = {
  name: 'review_change',
  title: 'Review a change between two snapshots',
  description: 'Explain and check what changed in the library from one snapshot to another, or to now.',
  inputs: [
    { name: 'from', description: 'Label or id of the snapshot to start from.', required: true },
    { name: 'to', description: 'Label or id of the snapshot to end at. Default: now.', required: false },
  ],
  needs: ['snapshot_diff'],
  async write(session, { from = '', to }) {
    const end = to?.trim() ? to : 'now';
    const { diff, truncated } = await required(session, 'snapshot_diff', { a: from, b: end });
    return `Review what changed in the library from '${from}' to '${end}'.

${steps([
  'Say in two or three sentences what was done, and what it seems to be for.',
  'Group the changes by folder: what is new, what is gone, what moved, what has other content. Use names, not ids.',
  has(session, 'history') &&
    'Where the reason is not clear, history tells who changed a node, when and with which tool.',
  'Point out what looks wrong: content lost, twins, things far from where they belong, values that do not fit their neighbours.',
  'Change nothing. End with a list of what you would put right, each with the call that would do it.',
])}

${block('Answer of snapshot_diff:', { diff, ...(truncated !== undefined && { truncated }) })}`;
  },
  complete: async (session, name) => {
    const labels = await namesOf(session, 'snapshot_list', 'snapshots', 'label');
    return [...(name === 'to' ? ['now'] : []), ...new Set(labels.reverse())];
  },
};
