/** Names for what matters: a category picks documents, a group puts categories together. */
import type { Session } from '../../workspace.js';
import { count, made, say, step } from './stage.js';

export async function nameDocuments(ada: Session): Promise<void> {
  step(
    '3. A category picks the documents that matter, a group puts categories together',
    "categories add style 'writing/**' --collection handbook",
    'collections add rules --category style',
    'tool get_content --name rules',
  );
  const patterns = ['writing/**'];
  await made(ada.call('category_add', { name: 'style', collection: 'handbook', patterns }));
  await made(
    ada.call('collection_add', { name: 'rules', categories: ['style'], description: 'Read before you write' }),
  );
  const { documents, tokens } = await made(ada.call('get_content', { name: 'rules' }));
  say(`rules > style: ${documents.map(({ path }) => path).join(', ')}`);
  say(`${count(documents.length, 'document')} as one text of about ${tokens} tokens, ready for a prompt`);
}
