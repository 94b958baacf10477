/** The badge or wristband of an event: its switch, its paper, its template and how it looks. */
import { NumberInput, Switch, Textarea } from '@mantine/core';
import { useEffect, useRef } from 'react';
import {
  BADGE_TEMPLATE,
  MAX_BADGE_CHARS,
  MAX_BADGE_MM,
  MIN_BADGE_MM,
} from '../../../../server/contract/badges.ts';
import { badgeOf, fitBadge } from '../../../ui/badge.ts';
import { Cost } from '../shared/Cost.tsx';
import { useWords } from '../shared/words.tsx';
import type { EventDraft } from './event-form.ts';

type Fields = { draft: EventDraft; set: (change: Partial<EventDraft>) => void };

export function BadgeFields({ draft, set }: Fields) {
  const words = useWords('events');
  const { printsBadges, badge } = draft;
  const isValid = BADGE_TEMPLATE.test(badge);
  const side = (field: 'badgeWidthMm' | 'badgeHeightMm', label: string) => (
    <NumberInput
      label={label}
      min={MIN_BADGE_MM}
      max={MAX_BADGE_MM}
      clampBehavior="blur"
      allowDecimal={false}
      value={draft[field]}
      onChange={(value) => set({ [field]: typeof value === 'number' ? value : MIN_BADGE_MM })}
    />
  );
  return (
    <>
      <Switch
        label={words.badges}
        description={words.badgesHelp}
        checked={printsBadges}
        onChange={({ currentTarget }) => set({ printsBadges: currentTarget.checked })}
      />
      {printsBadges && (
        <>
          <div className="event-pair">
            {side('badgeWidthMm', words.badgeWidth)}
            {side('badgeHeightMm', words.badgeHeight)}
          </div>
          <Textarea
            label={words.badgeTemplate}
            description={words.badgeTemplateHelp}
            error={isValid ? null : words.badgeTemplateWrong}
            autosize
            minRows={3}
            maxRows={8}
            maxLength={MAX_BADGE_CHARS}
            spellCheck={false}
            value={badge}
            onChange={({ currentTarget }) => set({ badge: currentTarget.value })}
          />
          {isValid && <Preview draft={draft} />}
        </>
      )}
      <Cost of="badges" />
    </>
  );
}

/** A wristband on end would be longer than the window. */
const MOST_HIGH_PX = 320;

/** With an example guest, in its own proportions: smaller than the paper if that has no room. */
function Preview({
  draft: { badge: template, badgeWidthMm: widthMm, badgeHeightMm: heightMm, name },
}: Pick<Fields, 'draft'>) {
  const words = useWords('events');
  const place = useRef<HTMLDivElement>(null);
  const { badgeExampleName, badgeExampleKind } = words;
  useEffect(() => {
    const values = { name: badgeExampleName, kind: badgeExampleKind, event: name, order: 'A-1042' };
    const paper = badgeOf({ template, widthMm, heightMm, values });
    const shown = place.current;
    if (shown === null) return;
    shown.replaceChildren(paper);
    fitBadge(paper);
    const room = shown.clientWidth - 2 * Number.parseFloat(getComputedStyle(shown).paddingInlineStart);
    const scale = Math.min(1, room / paper.offsetWidth, MOST_HIGH_PX / paper.offsetHeight);
    paper.style.zoom = `${scale}`;
  }, [template, widthMm, heightMm, name, badgeExampleName, badgeExampleKind]);
  return <div ref={place} className="event-badge" role="img" aria-label={words.badgePreview} />;
}
