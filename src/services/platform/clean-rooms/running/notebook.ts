import { ApiError } from '../../../../kernel/http/index.ts';
import type { NotebookSource } from '../../jobs/task-run.ts';
import { readHtml } from '../../notebooks/formats/html.ts';
import { readJupyter } from '../../notebooks/formats/jupyter.ts';
import { hasHeader, readSource } from '../../notebooks/formats/source.ts';
import { LANGUAGES, type Notebook } from '../../notebooks/model.ts';

/** Parses the content of an asset: an exported page, a Jupyter notebook, or source code. Returns a message if it is not a notebook. */
export function notebookOf(content: string): NotebookSource | string {
  const bytes = Buffer.from(content, 'base64');
  try {
    const { language, cells } = readAny(bytes);
    return { is: 'notebook', language, cells: cells.map((cell) => ({ language: cell.language, text: cell.source })) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}

function readAny(bytes: Buffer): Notebook {
  const text = bytes.toString('utf8');
  if (text.includes('__DATABRICKS_NOTEBOOK_MODEL')) return readHtml(text);
  if (text.trimStart().startsWith('{')) return readJupyter(bytes);
  // Without a header line the language is Python.
  return readSource(text, LANGUAGES.find((language) => hasHeader(text, language)) ?? 'PYTHON');
}
