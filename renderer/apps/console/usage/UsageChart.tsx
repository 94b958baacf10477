/** Results of each day as stacked bars, drawn here: three sums a day need no charting library. The table is behind it. */
import { useMediaQuery } from '@mantine/hooks';
import type { UsageDay } from '../../../../server/contract/console/usage.ts';
import { useLanguage, useWords } from '../shared/words.tsx';
import { axisValues } from './chart-scale.ts';

/** Of the drawing, in its own units; on a phone it is drawn larger so that it can be read there. */
const WIDE = { width: 900, days: 6 } as const;
const NARROW = { width: 400, days: 3 } as const;
const HEIGHT = 240;
const LEFT = 56;
const TOP = 12;
const BOTTOM = 28;
/** Of a day's place. */
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
  const date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const every = Math.max(1, Math.ceil(days.length / dayLabels));
  const names = { approved: words.approved, in_review: words.inReview, denied: words.denied };

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
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={words.chart({ days: days.length })}>
        {axis.map((value) => (
          <g key={value}>
            <line className="usage-line" x1={LEFT} x2={width} y1={yOf(value)} y2={yOf(value)} />
            <text className="usage-tick" x={LEFT - 8} y={yOf(value) + 4} textAnchor="end">
              {number.format(value)}
            </text>
          </g>
        ))}
        {days.map((day, index) => (
          <Bar
            key={day.day}
            day={day}
            x={LEFT + place * (index + (1 - BAR_SHARE) / 2)}
            width={place * BAR_SHARE}
            yOf={yOf}
            title={`${date.format(new Date(day.day))}: ${PARTS.map((part) => `${names[part]} ${number.format(day[part])}`).join(', ')}`}
          />
        ))}
        {days.map(
          ({ day }, index) =>
            index % every === 0 && (
              <text key={day} className="usage-tick" x={LEFT + place * index} y={HEIGHT - 8}>
                {date.format(new Date(day))}
              </text>
            ),
        )}
      </svg>
    </figure>
  );
}

type BarProps = {
  day: UsageDay;
  x: number;
  width: number;
  yOf: (value: number) => number;
  title: string;
};

function Bar({ day, x, width, yOf, title }: BarProps) {
  const starts = { approved: 0, in_review: day.approved, denied: day.approved + day.in_review };
  return (
    <g>
      <title>{title}</title>
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
    </g>
  );
}
