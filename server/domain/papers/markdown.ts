/** A paper as Markdown. */
import type { PaperRow, PaperView } from '../../contract/console/papers.ts';
import { visibleLine } from '../visible.ts';

export function markdownOf({
  organiser,
  written_at: writtenAt,
  paper,
}: Pick<PaperView, 'organiser' | 'written_at' | 'paper'>): string {
  const row = ({ title, lines, question }: PaperRow): string[] => [
    `### ${title}`,
    ...lines,
    ...(question === null ? [] : [`**${paper.to_answer}** ${question}`]),
  ];
  const texts = [
    `# ${paper.title}`,
    `${organiser} · ${paper.article} · ${writtenAt}`,
    `> ${paper.notice}`,
    ...paper.sections.flatMap(({ title, rows }) => [`## ${title}`, ...rows.flatMap(row)]),
  ];
  return texts.map((text) => `${visibleLine(text)}\n`).join('\n');
}
