import { Button } from '@mantine/core';
import { Icon } from './icons.tsx';

type DownloadProps = { href: string; size?: 'xs' | 'sm'; variant?: 'default' | 'filled'; children: string };

/** A link to a file, as a button. */
export const Download = ({ href, size = 'sm', variant = 'default', children }: DownloadProps) => (
  <Button
    component="a"
    href={href}
    download
    size={size}
    variant={variant}
    leftSection={<Icon name="download" />}
  >
    {children}
  </Button>
);
