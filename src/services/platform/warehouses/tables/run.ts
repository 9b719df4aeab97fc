import type { Actor } from '../../jar.ts';
import { parseStatement } from '../sql/parser.ts';
import { problems } from '../sql/problem.ts';
import { bounded, type Halt, runQuery } from '../sql/run-statement.ts';
import type { Session } from '../sql/session.ts';
import type { SqlStatement } from '../sql/statement-syntax.ts';
import { alter } from './alter.ts';
import { remove, truncate, update } from './change-rows.ts';
import { createTable } from './create-table.ts';
import { createView } from './create-view.ts';
import { createContainer, drop } from './define.ts';
import { describe } from './describe.ts';
import type { Acting } from './find.ts';
import { grant } from './grants.ts';
import { insert } from './insert.ts';
import { merge } from './merge.ts';
import { problemOf } from './refusals.ts';
import { CatalogRelations } from './relations.ts';
import { show } from './show.ts';
import { findShown } from './visible.ts';
import { type Effect, NO_RESULT } from './write.ts';

/** Runs a statement as a user: returns its result, and the changes to apply when it ends. Throws `SqlProblem`. */
export async function runSql(text: string, actor: Actor, session: Session, halt: Halt): Promise<Effect> {
  const statement = bounded(() => parseStatement(text));
  const acting: Acting = { ...actor, session: { ...session, relations: new CatalogRelations(actor, session) } };
  try {
    return await effectOf(acting, statement, halt);
  } catch (error) {
    // For example an expression of a default or a constraint that is as long as the longest statement.
    if (error instanceof RangeError) throw problems.tooMuch('it is nested too deeply, or a value is out of range');
    throw problemOf(error) ?? error;
  }
}

async function effectOf(acting: Acting, statement: SqlStatement, halt: Halt): Promise<Effect> {
  switch (statement.is) {
    case 'query':
      return { result: await runQuery(statement.query, acting.session, halt) };
    case 'insert':
      return insert(acting, statement, halt);
    case 'update':
      return update(acting, statement, halt);
    case 'delete':
      return remove(acting, statement, halt);
    case 'merge':
      return merge(acting, statement, halt);
    case 'truncate':
      return truncate(acting, statement);
    case 'createTable':
      return createTable(acting, statement, halt);
    case 'createView':
      return createView(acting, statement, halt);
    case 'createCatalog':
    case 'createSchema':
    case 'createVolume':
      return createContainer(acting, statement);
    case 'drop':
      return drop(acting, statement);
    case 'alter':
      return alter(acting, statement, halt);
    case 'grant':
      return grant(acting, statement);
    case 'show':
      return { result: await show(acting, statement) };
    case 'use':
      await findShown(acting, statement.kind, statement.name);
      return { result: NO_RESULT };
    case 'describe':
      return { result: await describe(acting, statement) };
  }
}
