import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import goReceiver from '../../../../docs/webhooks/receiver.go?raw';
import nodeReceiver from '../../../../docs/webhooks/receiver.mjs?raw';
import phpReceiver from '../../../../docs/webhooks/receiver.php?raw';
import pythonReceiver from '../../../../docs/webhooks/receiver.py?raw';
import { CopyButton } from '../shared/copy.tsx';
import { useWords } from '../shared/words.tsx';

/** The receivers in the documentation, which a test runs. */
const SAMPLES: Readonly<Record<string, string>> = {
  Node: nodeReceiver,
  Python: pythonReceiver,
  PHP: phpReceiver,
  Go: goReceiver,
};

export function Samples() {
  const words = useWords('webhooks');
  const [language, setLanguage] = useState('Node');
  const code = SAMPLES[language] ?? nodeReceiver;
  return (
    <section className="panel stack">
      <p className="quiet">{words.codeText}</p>
      <div className="sample-head">
        <SegmentedControl
          aria-label={words.language}
          value={language}
          data={Object.keys(SAMPLES)}
          onChange={setLanguage}
        />
        <CopyButton value={code} label={language} />
      </div>
      <pre className="code" tabIndex={0} aria-label={language} dir="ltr">
        {code}
      </pre>
    </section>
  );
}
