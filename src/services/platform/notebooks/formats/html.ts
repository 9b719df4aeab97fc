import { isObject, parseJson } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import type { CountCells, Notebook } from '../model.ts';
import { documentOf, notebookOfDocument } from './archive.ts';

/** Notebooks as HTML pages: viewable, and with the notebook in a script, so that the page can be imported again. */

const MODEL = /__DATABRICKS_NOTEBOOK_MODEL = '([A-Za-z0-9+/=]*)'/;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] as string);

export function writeHtml(notebook: Notebook, name: string): string {
  const model = Buffer.from(JSON.stringify(documentOf(notebook, name))).toString('base64');
  const cells = notebook.cells.map(
    ({ language, source, title }) =>
      `<section><h2>${escaped(title ?? language)}</h2><pre><code class="language-${escaped(language)}">${escaped(source)}</code></pre></section>`,
  );
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>${escaped(name)}</title></head>
<body><h1>${escaped(name)}</h1>
${cells.join('\n')}
<script>var __DATABRICKS_NOTEBOOK_MODEL = '${model}'</script>
</body></html>
`;
}

export function readHtml(text: string, counted?: CountCells): Notebook {
  const model = MODEL.exec(text)?.[1];
  const document: unknown = model === undefined ? undefined : parsed(Buffer.from(model, 'base64'));
  if (!isObject(document))
    throw errors.INVALID_PARAMETER_VALUE({ reason: 'The content is not an exported page of a notebook.' });
  return notebookOfDocument(document, counted);
}

function parsed(bytes: Buffer): unknown {
  try {
    // Exports of the real service URL-encode the text before base64.
    const text = bytes.toString('latin1');
    return parseJson(text.startsWith('%7B') ? Buffer.from(decodeURIComponent(text)) : bytes, {
      values: 500_000,
      names: 500_000,
    });
  } catch {
    return undefined;
  }
}
