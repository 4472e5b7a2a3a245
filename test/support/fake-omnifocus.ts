/** A folder to put on PATH, with a fake `osascript` that hosts a fake OmniFocus. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, scratchEnv, scratchFolder } from './scratch.js';

export type Section = { kind: 'folder' | 'project'; id: string; name: string; dropped?: boolean; children?: Section[] };
type Run = { args: string[]; kind: 'probe' | 'script'; overlapped: boolean; ascii: boolean };

const fake = pathToFileURL(path.join(root, 'test/fakes/omnifocus/osascript.mjs')).href;

export function fakeOmniFocus(sections: Section[] = [], { byLevel = false } = {}) {
  const folder = scratchFolder();
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const main = `import(${JSON.stringify(fake)}).then((fake) => fake.osascript(${JSON.stringify(folder)}, process.argv.slice(2)));`;
  writeFileSync(path.join(bin, 'osascript'), `#!${process.execPath}\n${main}\n`, { mode: 0o755 });
  const file = (name: string) => path.join(folder, name);
  writeFileSync(file('state.json'), JSON.stringify({ nextId: 1, byLevel, sections }));

  return {
    folder,
    env: scratchEnv(folder, { TMPDIR: folder, PATH: `${bin}${path.delimiter}${process.env.PATH}` }),
    /** What goes wrong in the next runs, one word a run; '' for nothing. */
    faults: (...next: string[]) => writeFileSync(file('faults.json'), JSON.stringify(next)),
    sections: (): Section[] => JSON.parse(readFileSync(file('state.json'), 'utf8')).sections,
    runs: (): Run[] =>
      existsSync(file('runs.jsonl'))
        ? readFileSync(file('runs.jsonl'), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
  };
}
