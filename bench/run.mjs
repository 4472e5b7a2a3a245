// @ts-check
/** Runs a benchmark by its name: `npm run bench -- NAME [options]`. Without a name it lists them. */

/** @typedef {{ name: string, summary: string, load: () => Promise<{ run: (args: string[]) => Promise<void> }> }} Benchmark */

/** @type {readonly Benchmark[]} */
const benchmarks = [
  {
    name: 'documents',
    summary: 'Updates of documents of 1 kB to 5 MB, against the same by hand.',
    load: () => import('./documents.mjs'),
  },
  {
    name: 'folders',
    summary: 'Folder calls on a library of 100,000 folders, against the raw driver.',
    load: () => import('./folders.mjs'),
  },
  {
    name: 'mcp',
    summary: 'MCP calls against a bare echo server; 32 HTTP clients and 8 stdio processes; memory over 100,000 calls.',
    load: () => import('./mcp.mjs'),
  },
  {
    name: 'index',
    summary: 'Markdown from text to searchable by word, in MB/s with a profile, against minisearch.',
    load: () => import('./index.mjs'),
  },
  {
    name: 'retrieval',
    summary: 'How good results are on test collections, against plain FTS5, minisearch and Orama.',
    load: () => import('./retrieval.mjs'),
  },
  {
    name: 'search',
    summary: 'Searches of 1,000 to 100,000 chunks: in-process, through MCP and cold, against minisearch and Orama.',
    load: () => import('./search.mjs'),
  },
  {
    name: 'startup',
    summary: 'Commands from start to end, against bare Node.',
    load: () => import('./startup.mjs'),
  },
  {
    name: 'sync',
    summary: 'Syncing folders of Markdown: cold, unchanged and one file changed, against a bare walk; peak memory.',
    load: () => import('./sync.mjs'),
  },
  {
    name: 'tree',
    summary: "The tree's tools on libraries of 1,000 to 1,000,000 nodes, and on a chain of 100,000.",
    load: () => import('./tree.mjs'),
  },
  {
    name: 'vectors',
    summary: 'Embedding texts and questions, loading and scanning vectors, against the limits of the machine.',
    load: () => import('./vectors.mjs'),
  },
];

const [name, ...args] = process.argv.slice(2);
const chosen = benchmarks.find((benchmark) => benchmark.name === name);

if (chosen) {
  const { run } = await chosen.load();
  await run(args);
} else {
  if (name !== undefined) console.error(`There is no benchmark '${name}'.\n`);
  console.log('Usage: npm run bench -- NAME [options]\n');
  for (const benchmark of benchmarks) console.log(`  ${benchmark.name.padEnd(10)}${benchmark.summary}`);
  process.exitCode = name === undefined ? 0 : 2;
}
