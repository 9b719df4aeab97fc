import { isList, isObject, type Json, type JsonMembers, parseJson } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import {
  type Cell,
  type CountCells,
  cellOfText,
  isLanguage,
  type Notebook,
  type NotebookLanguage,
  ownLanguage,
  textOfCell,
} from '../model.ts';

/**
 * Notebooks in Jupyter format (nbformat 4). Everything that is read is written back: outputs, metadata, attachments and unknown members.
 */

/** Outputs may be long lists of numbers. */
const BOUNDS = { names: 500_000, values: 2_000_000, depth: 100 };

export function readJupyter(bytes: Buffer, counted: CountCells = () => {}): Notebook {
  let parsed: unknown;
  try {
    parsed = parseJson(bytes, BOUNDS);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message.slice(0, 200).toWellFormed() : 'it is not JSON');
  }
  if (!isObject(parsed) || !Array.isArray(parsed.cells)) throw invalid("it has no list 'cells'");
  const { cells, ...jupyter } = parsed as JsonMembers & { readonly cells: readonly Json[] };
  counted(cells.length);
  const language = languageOf(jupyter);
  return { language, cells: cells.map((cell, index) => readCell(cell, index, language)), jupyter };
}

function languageOf({ metadata }: JsonMembers): NotebookLanguage {
  const named = (name: string, member: string): unknown => {
    const part = isObject(metadata) ? metadata[name] : undefined;
    return isObject(part) ? part[member] : undefined;
  };
  const said = named('language_info', 'name') ?? named('kernelspec', 'language');
  const word = typeof said === 'string' ? said.toUpperCase() : '';
  return isLanguage(word) ? word : 'PYTHON';
}

function readCell(sent: Json, index: number, language: NotebookLanguage): Cell {
  if (!isObject(sent)) throw invalid(`cell ${index} is not an object`);
  const { source, ...jupyter } = sent as JsonMembers;
  const text = typeof source === 'string' ? source : isTexts(source) ? source.join('') : undefined;
  if (text === undefined) throw invalid(`cell ${index} has no 'source'`);
  const { cell_type: type } = jupyter;
  if (type !== 'code' && type !== 'markdown' && type !== 'raw') throw invalid(`cell ${index} has no known 'cell_type'`);
  const cell: Cell = {
    ...(type === 'code'
      ? cellOfText(text, ownLanguage({ language }))
      : { language: type === 'markdown' ? 'md' : 'raw', source: text }),
    jupyter,
  };
  const usual = sourceOf(cell, language);
  return isSameSource(usual, source) ? cell : { ...cell, jupyterSource: source as string | readonly string[] };
}

const isTexts = (value: Json | undefined): value is readonly string[] =>
  isList(value) && value.every((each) => typeof each === 'string');

const isSameSource = (one: readonly string[], other: Json | undefined): boolean =>
  isList(other) && one.length === other.length && one.every((line, index) => line === other[index]);

/** A list of lines, each including its line ending. */
function sourceOf(cell: Cell, language: NotebookLanguage): readonly string[] {
  const type = typeOf(cell);
  const text = type === 'code' ? textOfCell(cell, ownLanguage({ language })) : cell.source;
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function typeOf({ language, jupyter }: Cell): string {
  const said = jupyter?.cell_type;
  if (typeof said === 'string') return said;
  return language === 'md' ? 'markdown' : language === 'raw' ? 'raw' : 'code';
}

const NOTHING_RUN: JsonMembers = { execution_count: null, outputs: [] };

export function writeJupyter(
  { language, cells, jupyter }: Notebook,
  { outputs }: { readonly outputs: boolean },
): string {
  const written = cells.map((cell) => {
    const type = typeOf(cell);
    const { title } = cell;
    const usual: JsonMembers = {
      cell_type: type,
      metadata: title === undefined ? {} : { title },
      ...(type === 'code' && NOTHING_RUN),
    };
    const source = cell.jupyterSource ?? sourceOf(cell, language);
    return { ...(cell.jupyter ?? usual), ...(!outputs && type === 'code' && NOTHING_RUN), source };
  });
  const usual: JsonMembers = {
    metadata: { language_info: { name: ownLanguage({ language }) } },
    nbformat: 4,
    nbformat_minor: 0,
  };
  return JSON.stringify({ ...(jupyter ?? usual), cells: written }, undefined, 1);
}

const invalid = (reason: string) =>
  errors.INVALID_PARAMETER_VALUE({ reason: `The content is not a Jupyter notebook: ${reason}.` });
