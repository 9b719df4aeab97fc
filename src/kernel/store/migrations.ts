import { StoreError } from './errors.ts';

/** A migration of the kernel's own tables. Collections need none, because the engines rebuild their tables from the documents. */
interface Migration {
  readonly version: number;
  readonly sqlite: string;
  readonly postgres: string;
}

/**
 * Times are stored as doubles so that both engines return plain numbers. `state` is one of WORK_STATE and is the first column of both
 * indexes of `work`: the first index finds the next item of a kind, the second finds all due items.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sqlite: `
      CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE changes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
        outcome TEXT NOT NULL, at REAL NOT NULL, data TEXT NOT NULL
      );
      CREATE TABLE work (
        id TEXT PRIMARY KEY, seq INTEGER NOT NULL, kind TEXT NOT NULL, due_at REAL NOT NULL, payload TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0, lease TEXT, lease_until REAL, reason TEXT
      ) WITHOUT ROWID;
      CREATE INDEX work_of_kind ON work (state, kind, due_at, seq);
      CREATE INDEX work_due ON work (state, due_at);
      CREATE INDEX work_leases ON work (lease_until) WHERE state = 1;
    `,
    postgres: `
      CREATE TABLE cloudjar.meta (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);
      CREATE SEQUENCE cloudjar.changes_seq;
      SELECT nextval('cloudjar.changes_seq');
      CREATE TABLE cloudjar.changes (
        seq bigint PRIMARY KEY, source text NOT NULL, kind text NOT NULL, subject text NOT NULL,
        outcome text NOT NULL, at double precision NOT NULL, data text NOT NULL
      );
      CREATE SEQUENCE cloudjar.work_seq;
      CREATE TABLE cloudjar.work (
        id text COLLATE "C" PRIMARY KEY, seq bigint NOT NULL DEFAULT nextval('cloudjar.work_seq'), kind text COLLATE "C" NOT NULL,
        due_at double precision NOT NULL, payload text NOT NULL, attempts integer NOT NULL DEFAULT 0,
        state smallint NOT NULL DEFAULT 0, lease text COLLATE "C", lease_until timestamptz, reason text
      );
      CREATE INDEX work_of_kind ON cloudjar.work (state, kind, due_at, seq);
      CREATE INDEX work_due ON cloudjar.work (state, due_at);
      CREATE INDEX work_leases ON cloudjar.work (lease_until) WHERE state = 1;
    `,
  },
  {
    // From this version on, `meta` records which release prepared the store last (`release`) and the oldest that may use it (`oldest`).
    // Version 1 checks neither, so the version number keeps it out. `stale` lists documents that nodes of an earlier release have written
    // meanwhile.
    version: 2,
    sqlite: '',
    postgres: `
      CREATE TABLE cloudjar.stale (collection text COLLATE "C", key text COLLATE "C", PRIMARY KEY (collection, key));
      CREATE FUNCTION cloudjar.note_stale() RETURNS trigger LANGUAGE plpgsql AS $fn$
        BEGIN
          INSERT INTO cloudjar.stale (collection, key) VALUES (TG_ARGV[0], NEW.key) ON CONFLICT DO NOTHING;
          RETURN NULL;
        END $fn$;
    `,
  },
];

export const SCHEMA_VERSION = MIGRATIONS.at(-1)!.version;

export const WORK_STATE = { waiting: 0, leased: 1, parked: 2 } as const;

export function refuseNewer(found: number): void {
  if (found <= SCHEMA_VERSION) return;
  throw new StoreError(
    'NEWER_VERSION',
    `the database has schema version ${found}, written by a later release; this one knows up to ${SCHEMA_VERSION}`,
  );
}
