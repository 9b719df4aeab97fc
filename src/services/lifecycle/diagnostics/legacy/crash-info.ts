import { Type } from 'typebox';
import { ok } from '../../../../kernel/http/index.ts';
import { appOf } from '../../access/access.ts';
import { routeCode } from '../../jar.ts';
import { attachmentsOf, attachmentText, blobLocationOf, findAttachment } from '../attachments.ts';
import { buildsWhere } from '../builds.ts';
import { reportGroups } from '../collections.ts';
import { fileAddress } from '../links.ts';
import { stableId } from '../read-report.ts';
import { Location } from '../schemas.ts';
import { crashAttachmentView } from './views.ts';

/** Older routes: properties of the app as a whole, and attachments of a crash. */

const FEATURES = {
  crashgroup_modify_status: true,
  crashgroup_modify_annotation: true,
  search: true,
  crashgroup_analytics_crashfreeusers: true,
  crashgroup_analytics_impactedusers: true,
  crash_download_raw: true,
};

export const getCrashesInfo = routeCode([], {
  responses: {
    200: Type.Object({ has_crashes: Type.Boolean(), features: Type.Record(Type.String(), Type.Boolean()) }),
  },
  async handle(call) {
    const { items } = await call.jar.store.query(reportGroups, { prefix: `${appOf(call).id}/`, limit: 1 });
    return ok({ has_crashes: items.length > 0, features: FEATURES });
  },
});

export const listAppVersions = routeCode([], {
  responses: {
    200: Type.Array(
      Type.Object({
        app_version_id: Type.String(),
        app_id: Type.String(),
        display_name: Type.String(),
        app_version: Type.String(),
        build_number: Type.String(),
      }),
    ),
  },
  async handle(call) {
    const { id, displayName } = appOf(call);
    const builds = await buildsWhere(call.jar, id);
    return ok(
      builds.map(({ version, build }) => ({
        app_version_id: stableId([id, version, build]),
        app_id: id,
        display_name: displayName,
        app_version: version,
        build_number: build,
      })),
    );
  },
});

const CrashAttachment = Type.Object({
  app_id: Type.String(),
  attachment_id: Type.String(),
  crash_id: Type.String(),
  blob_location: Type.String(),
  content_type: Type.String(),
  file_name: Type.String(),
  created_time: Type.String(),
  size: Type.Integer(),
});

export const listCrashAttachments = routeCode(['crash_id'], {
  responses: { 200: Type.Array(CrashAttachment) },
  handle: async (call) => ok((await attachmentsOf(call, call.params.crash_id)).map(crashAttachmentView)),
});

export const getCrashAttachmentText = routeCode(['crash_id', 'attachment_id'], {
  responses: { 200: 'The attachment as text' },
  async handle(call) {
    const attachment = await findAttachment(call, call.params.crash_id, call.params.attachment_id);
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    return { status: 200, headers, body: await attachmentText(call, attachment) };
  },
});

export const getCrashAttachmentLocation = routeCode(['crash_id', 'attachment_id'], {
  responses: { 200: Location },
  async handle(call) {
    const attachment = await findAttachment(call, call.params.crash_id, call.params.attachment_id);
    return ok({ uri: fileAddress(call, 'attachment', blobLocationOf(attachment)) });
  },
});
