/** A reader that never rests, for tests in which others write. */
import { readFile } from 'node:fs/promises';
import { parseProject } from '../../src/project/schema.js';

/** Reads the file over and over until told to stop. Throws as soon as it is not a whole, valid project file. */
export function keepReading(file: string): () => Promise<number> {
  let [reads, stopped] = [0, false];
  const reading = (async () => {
    for (; !stopped; reads++) parseProject(await readFile(file), 'context.json');
    return reads;
  })();
  return () => {
    stopped = true;
    return reading;
  };
}
