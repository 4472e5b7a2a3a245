/** The text that `osascript` gets. Values reach it as one JSON literal, and in no other way. */
import { type FolderRequest, folderProgram } from './folder-program.js';

/** JSON in ASCII: a JavaScript literal whatever is in it, also U+2028, and in every encoding the same. */
const literal = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A script for macOS that has OmniFocus evaluate a program of its own. */
const evaluated = (program: string): string => `Application('OmniFocus').evaluateJavascript(${literal(program)})`;

export const folderScript = (request: FolderRequest): string => evaluated(`(${folderProgram})(${literal(request)})`);

export const PROBE_ANSWER = 'ready';

/** Costs OmniFocus next to nothing, and takes the same way as every other script. */
export const probeScript: string = evaluated(literal(PROBE_ANSWER));
