/** The two faces at the same size and angle. Zooming and dragging move both. */
import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import type { ReviewCaseDetail, ReviewSuspect } from '../../../../server/contract/console/reviews.ts';
import { useHotkeys } from '../shared/hotkeys.tsx';
import { Icon } from '../shared/icons.tsx';
import { useWords } from '../shared/words.tsx';
import { FaceView } from './FaceView.tsx';
import { fillOf, WHOLE, ZOOM_STEP, zoomed } from './framing.ts';

export function Faces({ detail, suspect }: { detail: ReviewCaseDetail; suspect: ReviewSuspect | null }) {
  const { sides, noPicture, zoom, keys } = useWords('reviews');
  const [view, setView] = useState(WHOLE);
  const closer = () => setView(zoomed(view, ZOOM_STEP));
  const further = () => setView(zoomed(view, 1 / ZOOM_STEP));
  const ofMatch = suspect?.frames ?? [];
  const fill = fillOf([...detail.frames, ...ofMatch].map(({ framing }) => framing));
  const hasPictures = detail.frames.length > 0 || ofMatch.length > 0;
  useHotkeys(
    hasPictures
      ? [
          { key: '+', label: keys.closer, act: closer },
          { key: '-', label: keys.further, act: further },
        ]
      : [],
  );
  const { test_face: testFace } = detail;
  return (
    <div className="faces" data-pictures={hasPictures}>
      <FaceView
        side={sides.run}
        frames={detail.frames}
        absent={testFace === null ? noPicture.none : noPicture.testFace({ name: testFace })}
        view={view}
        fill={fill}
        onView={setView}
      />
      <FaceView
        // Another person's pictures start with their first.
        key={suspect?.person_id ?? ''}
        side={sides.match}
        frames={ofMatch}
        absent={suspect?.erased === true ? noPicture.erased : noPicture.match}
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
