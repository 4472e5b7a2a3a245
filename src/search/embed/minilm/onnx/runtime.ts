/** The package onnxruntime-node, where the user has installed it beside ai-assist: native code, and faster. */
import { createRequire } from 'node:module';
import { unit } from '../../../vectors/quantise.js';
import type { Weights } from '../weights.js';
import { onnxModel } from './model.js';

export type Runtime = {
  InferenceSession: {
    create(model: Uint8Array, options: { intraOpNumThreads: number; logSeverityLevel: number }): Promise<Session>;
  };
  Tensor: new (type: 'int64', values: BigInt64Array, shape: readonly number[]) => unknown;
};
type Session = {
  run(feeds: Record<string, unknown>): Promise<Record<string, { data: Float32Array }>>;
  release?(): Promise<void>;
};

/** The runtime, or undefined where it is not installed or does not load. It is never fetched. */
export function findRuntime(): Runtime | undefined {
  try {
    return createRequire(import.meta.url)('onnxruntime-node') as Runtime;
  } catch {
    return undefined;
  }
}

export type OnnxEngine = {
  embed(ids: readonly number[]): Promise<Float32Array>;
  close(): Promise<void>;
};

const ERRORS_ONLY = 3;

export async function openOnnx(
  { InferenceSession, Tensor }: Runtime,
  weights: Weights,
  threads: number,
): Promise<OnnxEngine> {
  const settings = { intraOpNumThreads: threads, logSeverityLevel: ERRORS_ONLY };
  const session = await InferenceSession.create(onnxModel(weights), settings);
  const row = (values: readonly number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), [values.length]);
  return {
    embed: async (ids) => {
      const { mean } = await session.run({ ids: row(ids), positions: row([...ids.keys()]) });
      return unit(Float32Array.from(mean?.data ?? [])) ?? new Float32Array(ids.length);
    },
    close: async () => session.release?.(),
  };
}
