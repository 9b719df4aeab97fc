/** What `filled-workspace.ts` fills a clean room with. Refusals repeat names, so it is the rest that must not be seen. */

const ROOM = 'private_room';
const NOTEBOOK = 'private_notebook';

type Post = (path: string, body: object) => Promise<Record<string, unknown>>;
type Ids = Readonly<Record<string, string>>;

export const isOfCleanRooms = (path: string): boolean => path.startsWith('/clean-rooms');

const remote = (global_metastore_id: unknown) => ({
  cloud_vendor: 'azure',
  region: 'westus2',
  collaborators: [{ collaborator_alias: 'creator', global_metastore_id }],
});

/** The assets are added when the clock has gone on: rooms are set up first. */
export async function fillCleanRooms(
  post: Post,
  get: (path: string) => Promise<Record<string, unknown>>,
): Promise<{ readonly globalMetastore: string }> {
  const { global_metastore_id: id } = await get('/api/2.1/unity-catalog/metastore_summary');
  await post('/clean-rooms', { name: ROOM, comment: 'ours-room', remote_detailed_info: remote(id) });
  return { globalMetastore: String(id) };
}

/** In a room that is set up; gives the etag of the notebook and the id of a rule. */
export async function fillRoom(post: Post): Promise<{ readonly roomEtag: string; readonly roomRule: string }> {
  const content = Buffer.from('print("ours-notebook")').toString('base64');
  const asset = { name: NOTEBOOK, asset_type: 'NOTEBOOK_FILE', notebook: { notebook_content: content } };
  const { notebook } = (await post(`/clean-rooms/${ROOM}/assets`, asset)) as { notebook: { etag: string } };
  const rule = { author_scope: 'ANY_AUTHOR' };
  const made = await post(`/clean-rooms/${ROOM}/auto-approval-rules`, { auto_approval_rule: rule });
  return { roomEtag: notebook.etag, roomRule: String(made.rule_id) };
}

export function cleanRoomParameter(name: string, ids: Ids): string {
  const known: Readonly<Record<string, string | undefined>> = {
    asset_type: 'NOTEBOOK_FILE',
    name: NOTEBOOK,
    etag: ids.roomEtag,
    rule_id: ids.roomRule,
  };
  return known[name] ?? ROOM;
}

/** A body that would change it, or make something beside it. */
export function cleanRoomBody(path: string, ids: Ids): Record<string, unknown> {
  const notebook = { notebook_content: Buffer.from('print("theirs")').toString('base64') };
  if (path === '/clean-rooms') return { name: 'theirs', remote_detailed_info: remote(ids.globalMetastore) };
  if (path.endsWith('/output-catalogs')) return { catalog_name: 'theirs' };
  if (path.endsWith('/assets')) return { name: 'theirs', asset_type: 'NOTEBOOK_FILE', notebook };
  if (path.endsWith('/reviews')) return { notebook_review: { etag: ids.roomEtag, review_state: 'REJECTED' } };
  if (path.includes('auto-approval-rules')) return { auto_approval_rule: { author_scope: 'ANY_AUTHOR' } };
  return { comment: 'theirs', owner: 'licensed@vendor.example', notebook };
}
