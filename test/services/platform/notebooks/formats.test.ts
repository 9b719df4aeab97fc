import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentOf, notebookOfDocument } from '../../../../src/services/platform/notebooks/formats/archive.ts';
import { readHtml, writeHtml } from '../../../../src/services/platform/notebooks/formats/html.ts';
import { readJupyter, writeJupyter } from '../../../../src/services/platform/notebooks/formats/jupyter.ts';
import { readRMarkdown, writeRMarkdown } from '../../../../src/services/platform/notebooks/formats/r-markdown.ts';
import { hasHeader, readSource, writeSource } from '../../../../src/services/platform/notebooks/formats/source.ts';
import { readZip, writeZip } from '../../../../src/services/platform/notebooks/formats/zip.ts';
import { LANGUAGES, type NotebookLanguage } from '../../../../src/services/platform/notebooks/model.ts';

const COMMENT = { PYTHON: '#', R: '#', SQL: '--', SCALA: '//' } as const;

const EXAMPLE = `# Databricks notebook source
import os

# COMMAND ----------

# DBTITLE 1,What there is
# MAGIC %sql
# MAGIC SELECT *
# MAGIC
# MAGIC FROM t

# COMMAND ----------

# MAGIC %md # A heading

# COMMAND ----------

# MAGIC %run ./other`;

/** Lines of notebooks, and similar lines that are not separators. */
const lineOf = (sign: string) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    { weight: 3, arbitrary: fc.constant(`${sign} COMMAND ----------`) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        `${sign} MAGIC`,
        `${sign} MAGIC `,
        `${sign} MAGIC %sql`,
        `${sign} MAGIC %md inline`,
        `${sign} MAGIC  indented`,
        `${sign} MAGICAL`,
        `${sign} DBTITLE 1,title`,
        `${sign} COMMAND`,
        `${sign} Databricks notebook source`,
        '%sh',
        ' ',
        'x = 1\r',
      ),
    },
    { weight: 2, arbitrary: fc.string() },
  );

const sourceOf = (language: NotebookLanguage) =>
  fc
    .tuple(fc.array(lineOf(COMMENT[language])), fc.constantFrom('\n', '\r\n'))
    .map(([lines, end]) => [`${COMMENT[language]} Databricks notebook source`, ...lines].join(end));

describe('formats of notebooks', () => {
  it('cells of a source file have their language, title and text', () => {
    const { cells } = readSource(EXAMPLE, 'PYTHON');
    expect(cells.map(({ language, source, title }) => [language, source, title])).toEqual([
      ['python', 'import os', undefined],
      ['sql', 'SELECT *\n\nFROM t', 'What there is'],
      ['md', '# A heading', undefined],
      ['run', './other', undefined],
    ]);
    expect(writeSource(readSource(EXAMPLE, 'PYTHON'))).toBe(EXAMPLE);
  });

  it.each(LANGUAGES)('a source file of %s is written as it was read', (language) => {
    fc.assert(
      fc.property(sourceOf(language), (text) => {
        fc.pre(hasHeader(text, language));
        expect(writeSource(readSource(text, language))).toBe(text);
      }),
    );
  });

  it('a Jupyter notebook is written as it was read', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('%sql\nSELECT 1', '%md\n', '%run ./x', '%matplotlib inline\na', ''),
    );
    const source = fc.oneof(
      text,
      fc.array(text),
      text.map((whole) => whole.match(/[^\n]*\n|[^\n]+$/g) ?? []),
    );
    const cell = fc.oneof(
      fc.record({
        cell_type: fc.constant('code'),
        source,
        metadata: fc.dictionary(fc.string(), fc.jsonValue()),
        outputs: fc.array(fc.jsonValue()),
        execution_count: fc.oneof(fc.nat(), fc.constant(null)),
      }),
      fc.record({ cell_type: fc.constantFrom('markdown', 'raw'), source, metadata: fc.constant({}), id: fc.string() }),
    );
    const notebook = fc.record({
      cells: fc.array(cell),
      metadata: fc.record({ language_info: fc.record({ name: fc.constantFrom('python', 'scala', 'julia') }) }),
      nbformat: fc.constant(4),
      nbformat_minor: fc.nat(5),
    });
    fc.assert(
      fc.property(notebook, (sent) => {
        const json = JSON.stringify(sent);
        const back = writeJupyter(readJupyter(Buffer.from(json)), { outputs: true });
        expect(JSON.parse(back)).toEqual(JSON.parse(json));
      }),
    );
  });

  it('languages, titles and texts of cells survive a round trip through every other format', () => {
    const notebook = readSource(EXAMPLE, 'PYTHON');
    const plain = notebook.cells.map(({ language, source }) => [language, source]);
    const cellsOf = ({ cells }: { cells: readonly { language: string; source: string }[] }) =>
      cells.map(({ language, source }) => [language, source]);
    expect(cellsOf(readJupyter(Buffer.from(writeJupyter(notebook, { outputs: false }))))).toEqual(plain);
    expect(cellsOf(readHtml(writeHtml(notebook, 'a </script> name')))).toEqual(plain);
    expect(cellsOf(notebookOfDocument({ ...documentOf(notebook, 'n') }))).toEqual(plain);
    expect(cellsOf(readRMarkdown(writeRMarkdown(notebook, 'n')))).toEqual(plain);
  });

  it('an archive returns its files, and refuses truncated or oversized entries', async () => {
    const bounds = { entries: 10, bytes: 1_000_000 };
    const entries = [
      { name: 'a/b.py', bytes: Buffer.from('x'.repeat(50_000)) },
      { name: 'ünï.sql', bytes: Buffer.alloc(0) },
    ];
    const zip = await writeZip(entries);
    expect(await readZip(zip, bounds)).toEqual(entries);
    await expect(readZip(zip, { ...bounds, bytes: 49_999 })).rejects.toThrow(/too large/);
    await expect(readZip(zip, { ...bounds, entries: 1 })).rejects.toThrow(/entries/);
    for (let length = 0; length < zip.length; length += 7)
      await expect(readZip(zip.subarray(0, length), bounds)).rejects.toThrow(/cannot be read/);
    await fc.assert(
      fc.asyncProperty(fc.nat(zip.length - 1), fc.nat(255), async (at, value) => {
        const broken = Buffer.from(zip);
        broken[at] = value;
        await readZip(broken, bounds).catch((error: Error) => expect(error.message).toMatch(/cannot be read/));
      }),
    );
  });
});
