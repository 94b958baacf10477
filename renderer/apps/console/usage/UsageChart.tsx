/** Results per day as stacked bars. Three totals a day need no charting library; the table has the same numbers. */
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, useId, useState } from 'react';
import type { UsageDay } from '../../../../server/contract/console/usage.ts';
import { calendarDay } from '../shared/time/time.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { axisValues } from './chart-scale.ts';

/** Of the drawing, in its own units; drawn larger on a phone to stay readable. */
const WIDE = { width: 900, days: 6 } as const;
const NARROW = { width: 400, days: 3 } as const;
const HEIGHT = 240;
const LEFT = 56;
const TOP = 12;
const BOTTOM = 28;
/** Of a day's slot. */
const BAR_SHARE = 0.72;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;

const PARTS = ['approved', 'in_review', 'denied'] as const;

const totalOf = (day: UsageDay): number => day.approved + day.in_review + day.denied;

export function UsageChart({ days }: { days: readonly UsageDay[] }) {
  const words = useWords('usage');
  const { language } = useLanguage();
  const { width, days: dayLabels } = useMediaQuery('(max-width: 640px)') ? NARROW : WIDE;
  const axis = axisValues(Math.max(...days.map(totalOf)));
  const top = axis.at(-1) ?? 1;
  const place = (width - LEFT) / days.length;
  const yOf = (value: number): number => TOP + PLOT_HEIGHT * (1 - value / top);
  const number = new Intl.NumberFormat(language);
  const date = (day: string) => calendarDay(day, { day: 'numeric', month: 'short' }, language);
  const every = Math.max(1, Math.ceil(days.length / dayLabels));
  const { names } = useWords('outcomes');
  const helpId = useId();
  const [activeIndex, setActive] = useState<number | null>(null);
  // A new range can have fewer days.
  const active = activeIndex === null ? undefined : days[activeIndex];
  const moveTo = (event: KeyboardEvent) => {
    const next = indexAfter(event.key, activeIndex ?? days.length - 1, days.length);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
  };

  return (
    <figure className="usage-chart">
      <figcaption>
        <span className="quiet">{words.axis}</span>
        <ul className="usage-legend">
          {PARTS.map((part) => (
            <li key={part} data-part={part}>
              {names[part]}
            </li>
          ))}
        </ul>
      </figcaption>
      <div
        className="usage-plot"
        role="group"
        tabIndex={0}
        aria-label={words.chart({ days: days.length })}
        aria-describedby={helpId}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) setActive(days.length - 1);
        }}
        onBlur={() => setActive(null)}
        onKeyDown={moveTo}
        onPointerLeave={({ pointerType }) => {
          // After a tap, the tooltip stays until the next one.
          if (pointerType === 'mouse') setActive(null);
        }}
      >
        <span id={helpId} className="visually-hidden">
          {words.chartHelp}
        </span>
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
          {axis.map((value) => (
            <g key={value}>
              <line className="usage-line" x1={LEFT} x2={width} y1={yOf(value)} y2={yOf(value)} />
              <text className="usage-tick" x={LEFT - 8} y={yOf(value) + 4} textAnchor="end">
                {number.format(value)}
              </text>
            </g>
          ))}
          {days.map((day, index) => (
            <g key={day.day} onPointerEnter={() => setActive(index)}>
              <rect
                className="usage-column"
                data-active={index === activeIndex || undefined}
                x={LEFT + place * index}
                y={TOP}
                width={place}
                height={PLOT_HEIGHT}
              />
              <Bar
                day={day}
                x={LEFT + place * (index + (1 - BAR_SHARE) / 2)}
                width={place * BAR_SHARE}
                yOf={yOf}
              />
            </g>
          ))}
          {days.map(
            ({ day }, index) =>
              index % every === 0 && (
                <text key={day} className="usage-tick" x={LEFT + place * index} y={HEIGHT - 8}>
                  {date(day)}
                </text>
              ),
          )}
        </svg>
        <div className="usage-tip-line" role="status">
          {active !== undefined && activeIndex !== null && (
            <div
              className="usage-tip"
              // SVG does not follow the text direction, so this is left, not start.
              style={{
                left: `clamp(88px, ${((LEFT + place * (activeIndex + 0.5)) / width) * 100}%, 100% - 88px)`,
              }}
            >
              <strong>{date(active.day)}</strong>
              <ul className="usage-tip__parts">
                {PARTS.map((part) => (
                  <li key={part} data-part={part}>
                    <span>{names[part]}</span> <span>{number.format(active[part])}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      </div>
    </figure>
  );
}

/** The day that a key selects: none for Escape, undefined for keys without a function. */
function indexAfter(key: string, index: number, count: number): number | null | undefined {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, index - 1);
    case 'ArrowRight':
      return Math.min(count - 1, index + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return null;
    default:
      return undefined;
  }
}

type BarProps = {
  day: UsageDay;
  x: number;
  width: number;
  yOf: (value: number) => number;
};

function Bar({ day, x, width, yOf }: BarProps) {
  const starts = { approved: 0, in_review: day.approved, denied: day.approved + day.in_review };
  return (
    <>
      {PARTS.map((part) => {
        const height = yOf(0) - yOf(day[part]);
        return (
          height > 0 && (
            <rect
              key={part}
              className="usage-bar"
              data-part={part}
              x={x}
              y={yOf(starts[part] + day[part])}
              width={width}
              height={height}
            />
          )
        );
      })}
    </>
  );
}
