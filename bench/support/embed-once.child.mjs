// @ts-check
/** How long a new process takes to embed one question, with all that must be loaded for it. Prints milliseconds. */
const start = process.hrtime.bigint();
const { minilm } = await import('../../dist/search/embed/minilm/minilm.js');
await minilm({ threads: 1 }).embedQuery(process.argv[2] ?? '');
process.stdout.write(String(Number(process.hrtime.bigint() - start) / 1e6));
process.exit(0);
