import { uuid } from '../../../../kernel/ids/index.ts';
import { isObject, parseJson } from '../../../../kernel/values/index.ts';
import { errors } from '../../errors.ts';
import {
  type Cell,
  type CountCells,
  cellOfText,
  isLanguage,
  type Notebook,
  ownLanguage,
  textOfCell,
} from '../model.ts';

/** Documents in an archive (DBC), which is a zip file: the members of the real service, as far as they exist here. */

export function documentOf(notebook: Notebook, name: string): object {
  const own = ownLanguage(notebook);
  return {
    version: 'NotebookV1',
    origId: 0,
    name,
    language: own,
    commands: notebook.cells.map((cell, index) => ({
      version: 'CommandV1',
      origId: 0,
      guid: uuid(),
      subtype: 'command',
      commandType: 'auto',
      position: index + 1,
      command: textOfCell(cell, own),
      commandTitle: cell.title ?? '',
      showCommandTitle: cell.title !== undefined,
      state: 'finished',
      results: null,
    })),
    guid: uuid(),
    iPythonMetadata: null,
  };
}

export function readDocument(bytes: Buffer, name: string, counted?: CountCells): Notebook {
  let document: unknown;
  try {
    document = parseJson(bytes, { values: 500_000, names: 500_000 });
  } catch {
    document = undefined;
  }
  if (!isObject(document)) throw invalid(`'${name.slice(0, 200)}' is no notebook`);
  return notebookOfDocument(document, counted);
}

export function notebookOfDocument(
  document: Readonly<Record<string, unknown>>,
  counted: CountCells = () => {},
): Notebook {
  const { language: said, commands } = document;
  const language = typeof said === 'string' ? said.toUpperCase() : '';
  if (!isLanguage(language) || !Array.isArray(commands)) throw invalid('it names no language, or has no commands');
  counted(commands.length);
  const placed = commands.map((command): readonly [number, Cell] => {
    if (!isObject(command) || typeof command.command !== 'string') throw invalid('a command has no text');
    const { position, commandTitle: title, showCommandTitle: isShown } = command;
    const cell = cellOfText(command.command, language.toLowerCase());
    return [
      typeof position === 'number' ? position : 0,
      { ...cell, ...(isShown === true && typeof title === 'string' && { title }) },
    ];
  });
  return { language, cells: placed.toSorted(([one], [other]) => one - other).map(([, cell]) => cell) };
}

const invalid = (reason: string) =>
  errors.INVALID_PARAMETER_VALUE({ reason: `The archive cannot be read: ${reason}.` });
