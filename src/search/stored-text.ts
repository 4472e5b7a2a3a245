/** What is stored of a document, read and cited: the text itself, or the Markdown that HTML was turned into. */
import { isHtml } from './format.js';

/** The parser of HTML is loaded for HTML only. */
export async function storedText(path: string, text: string): Promise<string> {
  if (!isHtml(path)) return text;
  const { htmlToMarkdown } = await import('./html.js');
  return htmlToMarkdown(text);
}
