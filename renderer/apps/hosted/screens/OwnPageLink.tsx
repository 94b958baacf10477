/** Link to the guest's own data: opens another tab while this one still holds a run. */
import { OWN_PAGE } from '../../../flow/link.ts';
import { useWords } from '../messages-context.ts';

export type OwnPageLinkProps = {
  /** The run is over and this page has no other target, so the link opens in the same tab. */
  staysHere?: boolean;
  onOpen?: () => void;
};

export function OwnPageLink({ staysHere = false, onOpen }: OwnPageLinkProps) {
  const { messages } = useWords();
  return (
    <p className="own-page">
      <a href={OWN_PAGE} {...(staysHere ? {} : { target: '_blank', rel: 'noopener' })} onClick={onOpen}>
        {messages.ownData}
        {!staysHere && <span className="visually-hidden"> ({messages.opensNewTab})</span>}
      </a>
    </p>
  );
}
