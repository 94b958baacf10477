import { UnstyledButton } from '@mantine/core';
import { useRef, useState, type PointerEvent, type ReactNode } from 'react';
import type { ReviewFraming } from '../../../../../server/contract/console/reviews.ts';
import { Icon } from '../../shared/icons.tsx';
import { Time } from '../../shared/time/Time.tsx';
import { useWords } from '../../shared/words.tsx';
import { SQUARE, transformOf, viewBoxOf, within, type View } from './framing.ts';

export type FacePicture = { address: string; takenAt: string; framing: ReviewFraming };

type Props = {
  side: string;
  pictures: readonly FacePicture[];
  /** Shown if there is no picture. */
  absent: ReactNode;
  view: View;
  /** See `fillOf`. */
  fill: number;
  onView: (view: View) => void;
};

/** One side's face, its pictures to choose from, or why there are none. */
export function FaceView({ side, pictures, absent, view, fill, onView }: Props) {
  const words = useWords('reviews');
  const [chosen, setChosen] = useState(0);
  const place = Math.min(chosen, pictures.length - 1);
  const picture = pictures[place];
  return (
    <figure className="face">
      {picture === undefined ? (
        <div className="face__absent">
          <Icon name="account" size={40} />
          <div>{absent}</div>
        </div>
      ) : (
        <Picture
          picture={picture}
          label={words.pictureOf({ side, number: place + 1 })}
          view={view}
          fill={fill}
          onView={onView}
        />
      )}
      <figcaption className="face__caption">
        <span className="face__side">{side}</span>
        {picture !== undefined && (
          <span className="face__time quiet">
            <Time at={picture.takenAt} />
          </span>
        )}
        {pictures.length > 1 && (
          <span className="face__choices">
            {pictures.map(({ address }, at) => (
              <UnstyledButton
                key={address}
                className="face__choice"
                aria-label={words.showPicture({ side, number: at + 1 })}
                aria-pressed={at === place}
                onClick={() => setChosen(at)}
              >
                <span className="face__dot" />
              </UnstyledButton>
            ))}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

type PictureProps = Pick<Props, 'view' | 'fill' | 'onView'> & { picture: FacePicture; label: string };

/** Dragging moves the view; the other face follows. */
function Picture({ picture: { address, framing }, label, view, fill, onView }: PictureProps) {
  const from = useRef<{ clientX: number; clientY: number; view: View } | null>(null);
  const drag = ({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>): void => {
    if (from.current === null) return;
    const perPx = SQUARE / view.zoom / currentTarget.clientWidth;
    const { view: before } = from.current;
    onView(
      within({
        ...before,
        x: before.x - (clientX - from.current.clientX) * perPx,
        y: before.y - (clientY - from.current.clientY) * perPx,
      }),
    );
  };
  return (
    <svg
      className="face__picture"
      role="img"
      aria-label={label}
      viewBox={viewBoxOf(view)}
      onPointerDown={({ currentTarget, pointerId, clientX, clientY }) => {
        currentTarget.setPointerCapture(pointerId);
        from.current = { clientX, clientY, view };
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        from.current = null;
      }}
      onPointerCancel={() => {
        from.current = null;
      }}
    >
      <image
        href={address}
        width={framing.width}
        height={framing.height}
        transform={transformOf(framing, fill)}
      />
    </svg>
  );
}
