/** The two faces at the same size and angle. Zooming and dragging move both. */
import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { reviews } from '../../../../../server/contract/routes/console/reviews.ts';
import type {
  ReviewCaseDetail,
  ReviewFrame,
  ReviewSuspect,
} from '../../../../../server/contract/console/reviews.ts';
import { fileAddress } from '../../shared/client/api.ts';
import { useHotkeys } from '../../shared/hotkeys.tsx';
import { Icon } from '../../shared/icons.tsx';
import { useSearch } from '../../shared/lists/search.ts';
import { scopeSearch, useMe, useScopeFilter } from '../../shared/client/session.ts';
import { useWords } from '../../shared/words.tsx';
import { type FacePicture, FaceView } from './FaceView.tsx';
import { fillOf, WHOLE, ZOOM_STEP, zoomed } from './framing.ts';

export function Faces({ detail, suspect }: { detail: ReviewCaseDetail; suspect: ReviewSuspect | null }) {
  const { sides, noPicture, zoom, keys } = useWords('reviews');
  const [view, setView] = useState(WHOLE);
  const closer = () => setView(zoomed(view, ZOOM_STEP));
  const further = () => setView(zoomed(view, 1 / ZOOM_STEP));
  const ofRun = usePictures(detail.frames);
  const { pictures: ofMatch, hasHiddenPhoto } = useMatchPictures(detail, suspect);
  const fill = fillOf([...ofRun, ...ofMatch].map(({ framing }) => framing));
  const hasPictures = ofRun.length > 0 || ofMatch.length > 0;
  useHotkeys(
    hasPictures
      ? [
          { key: '+', label: keys.closer, act: closer },
          { key: '-', label: keys.further, act: further },
        ]
      : [],
  );
  const { test_face: testFace, item } = detail;
  const isDecided = item.decided !== null || item.pending !== null;
  const hiddenPhoto = isDecided ? noPicture.photoClosed : noPicture.claimPhoto;
  const absentMatch =
    suspect === null ? (
      noPicture.nobody
    ) : suspect.erased ? (
      noPicture.erased
    ) : hasHiddenPhoto ? (
      hiddenPhoto
    ) : (
      <NoPicture event={detail.event} />
    );
  return (
    <div className="faces" data-pictures={hasPictures}>
      <FaceView
        side={sides.run}
        pictures={ofRun}
        absent={testFace === null ? noPicture.none : noPicture.testFace({ name: testFace })}
        view={view}
        fill={fill}
        onView={setView}
      />
      <FaceView
        // Another person's pictures start with their first.
        key={suspect?.person_id ?? ''}
        side={sides.match}
        pictures={ofMatch}
        absent={absentMatch}
        view={view}
        fill={fill}
        onView={setView}
      />
      {hasPictures && (
        <div
          className="faces__zoom"
          data-over={ofMatch.length > 0 ? 'match' : 'run'}
          role="group"
          aria-label={zoom.label}
        >
          <ActionIcon variant="default" size={28} aria-label={zoom.out} onClick={further}>
            <Icon name="dash" size={14} />
          </ActionIcon>
          <ActionIcon variant="default" size={28} aria-label={zoom.in} onClick={closer}>
            <Icon name="plus" size={14} />
          </ActionIcon>
          <ActionIcon variant="default" size={28} aria-label={zoom.reset} onClick={() => setView(WHOLE)}>
            <Icon name="account" size={14} />
          </ActionIcon>
        </div>
      )}
    </div>
  );
}

/** Why there is no picture to compare with, and where that can be changed. */
function NoPicture({ event }: Pick<ReviewCaseDetail, 'event'>) {
  const { noPicture: words } = useWords('reviews');
  const search = scopeSearch(useSearch());
  const open = event === null ? {} : { open: event.event_id };
  return (
    <>
      <p>{words.match}</p>
      <Link to="/events" search={{ ...search, ...open }} className="text-link">
        {event === null ? words.keepPhotos : words.keepPhotosOf({ name: event.name })}
      </Link>
    </>
  );
}

/** Pictures of a check in review. */
function usePictures(frames: readonly ReviewFrame[]): FacePicture[] {
  const query = useScopeFilter();
  return frames.map(({ case_id, index, taken_at, framing }) => ({
    address: fileAddress(reviews.frame, { params: { case_id, index }, query }),
    takenAt: taken_at,
    framing,
  }));
}

/** Pictures of an earlier case, then the kept photo, which only the holder of the case may see. */
function useMatchPictures(
  { item }: ReviewCaseDetail,
  suspect: ReviewSuspect | null,
): { pictures: FacePicture[]; hasHiddenPhoto: boolean } {
  const query = useScopeFilter();
  const me = useMe().operator.operator_id;
  const pictures = usePictures(suspect?.frames ?? []);
  if (suspect === null || suspect.photo === null) return { pictures, hasHiddenPhoto: false };
  const isMine = item.held_by?.operator_id === me && item.decided === null && item.pending === null;
  if (!isMine) return { pictures, hasHiddenPhoto: true };
  const { taken_at: takenAt, framing } = suspect.photo;
  const params = { case_id: item.case_id, person_id: suspect.person_id };
  const photo = { address: fileAddress(reviews.photo, { params, query }), takenAt, framing };
  return { pictures: [...pictures, photo], hasHiddenPhoto: false };
}
