import type { JsonMembers } from '../../../kernel/values/index.ts';
import { Sent } from '../engine/sent.ts';
import { errors } from '../errors.ts';
import type { PlatformCall } from '../jar.ts';
import { reviewViews } from './asset-view.ts';
import { assetType, findAsset, findRevision, isReviewed, record, requireModifier, staleEtag } from './assets.ts';
import { assetKey, type Revision, revisionKey, revisions } from './collections.ts';
import { changeRoom } from './find.ts';
import { reviewStateOf, withReview } from './reviews.ts';

const LONGEST_COMMENT = 65_536;

/** Sets a collaborator's review of the current revision. `PENDING` withdraws an earlier review. */
export function reviewAsset(
  call: PlatformCall,
  roomName: string,
  typeName: string,
  name: string,
): Promise<JsonMembers> {
  return changeRoom(call, roomName, requireModifier(call), async (tx, room) => {
    const asset = await findAsset(tx, room, assetType(typeName), name);
    if (!isReviewed(asset))
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `An asset of the type ${asset.type} cannot be reviewed; only NOTEBOOK_FILE and JAR_ANALYSIS can.`,
      });
    const sent = new Sent(call.body).member('notebook_review');
    if (!sent) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'notebook_review' });
    const etag = sent.need('etag');
    const state = sent.word('review_state', ['PENDING', 'APPROVED', 'REJECTED']);
    if (!state) throw errors.INVALID_PARAMETER_VALUE__MissingField({ field: 'notebook_review.review_state' });
    const comment = sent.text('comment');
    if (comment !== undefined && comment.length > LONGEST_COMMENT)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The field 'notebook_review.comment' must be at most ${LONGEST_COMMENT} characters.`,
      });
    const before = await findRevision(tx, asset);
    if (etag !== before.etag) throw staleEtag(asset, etag);
    if (room.alias === before.author)
      throw errors.INVALID_PARAMETER_VALUE({
        reason: `The ${asset.type} '${asset.name}' can only be reviewed by the other collaborators; '${room.alias}' is its author.`,
      });
    const review = {
      reviewer: room.alias,
      state,
      ...(comment !== undefined && { comment }),
      createdAt: call.jar.clock.now(),
    };
    const after: Revision = { ...before, reviews: withReview(before.reviews, review) };
    await tx.put(revisions, revisionKey(assetKey(asset), before.number), after);
    await record(tx, call, 'review', asset);
    return {
      notebook_review_state: reviewStateOf(room.central, after),
      notebook_reviews: reviewViews(after.reviews),
    };
  });
}
