import type { Jar } from '../../../kernel/service/index.ts';
import { workHandler } from '../../../kernel/work/index.ts';
import { symbolUploads } from './collections.ts';
import { dropUpload } from './store.ts';
import { EXPIRE_UPLOAD } from './work.ts';

export const expireUpload = workHandler(EXPIRE_UPLOAD, async (item, { store }: Jar) => {
  await store.transact(async (tx) => {
    const upload = (await tx.get(symbolUploads, item.payload.key))?.value;
    if (upload) await dropUpload(tx, upload);
    await tx.complete(item);
  });
});
