/** The documents of the quickstart: a small handbook, written to disk as someone would keep it. */

const names = `# Names

A folder is named after what is in it, in one or two words.

## Dates

Dates in names are written 2025-01-31, so that they sort by themselves.
`;

const decisions = `# Decisions

## How a decision is recorded

One page a decision: what was chosen, what else was looked at, and why. It is never rewritten;
a later decision replaces it and says so.

## Who decides

Whoever does the work decides, after asking two others.
`;

const releases = `# Releases

A release is made on Tuesday. It needs a changelog and one person who stays online after it.

## Rolling back

Undo first, explain later: the previous release is always one command away.
`;

/** Paths in the folder of the handbook, with their content. */
export const handbook: Readonly<Record<string, string>> = {
  'manifest.json': `${JSON.stringify(
    { name: 'handbook', version: '1.0.0', description: 'How we work', sources: { glob: ['**/*.md'] } },
    null,
    2,
  )}\n`,
  'writing/names.md': names,
  'writing/decisions.md': decisions,
  'work/releases.md': releases,
};
