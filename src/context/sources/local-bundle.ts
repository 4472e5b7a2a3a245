/** A bundle on the local disk. */
import { stat } from 'node:fs/promises';
import { invalidArgument, notFound } from '../../errors.js';
import { noState, type Source, type SourceLimits } from '../source.js';
import { bundleSource } from './bundle.js';
import { readFailure, tooLarge } from './local-file.js';
import { fileOf } from './local-manifest.js';

export function localBundleSource(url: string, limits: SourceLimits): Source {
  const file = fileOf(url);
  const getBytes = async () => {
    await checkFile(file, limits);
    return { changed: true as const, bytes: { file }, state: noState };
  };
  return bundleSource(getBytes, limits, file);
}

async function checkFile(file: string, limits: SourceLimits): Promise<void> {
  const stats = await stat(file).catch((error) => {
    if (error.code !== 'ENOENT') throw readFailure(file, error);
    throw notFound`The bundle '${file}' does not exist`.advise('Check the URL of the collection in the project file.');
  });
  if (!stats.isFile()) throw invalidArgument`The bundle '${file}' is not a regular file`;
  if (stats.size > limits.maxBundleBytes) throw tooLarge(file, stats.size, limits.maxBundleBytes);
}
