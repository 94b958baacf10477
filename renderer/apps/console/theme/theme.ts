/** Mantine in the product's colours. Values are in `renderer/ui/tokens.css`; this only maps them. */
import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorScheme,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';
import { buttonRoot } from './button-root.tsx';

/** In the order in which they are offered. */
export const SCHEMES = ['light', 'dark', 'auto'] as const satisfies readonly MantineColorScheme[];

/** Every shade is the token itself, which handles light and dark. */
const token = (name: string): MantineColorsTuple => {
  const value = `var(--${name})`;
  return [value, value, value, value, value, value, value, value, value, value];
};

/**
 * Locking the page's scrolling needs a `<style>`, which the policy refuses: dialogs cover the page and keep the focus,
 * and the page behind them may scroll.
 */
const overlay = {
  defaultProps: {
    lockScroll: false,
    transitionProps: { duration: 140 },
    overlayProps: { backgroundOpacity: 0.35 },
  },
};

/** Text on a filled colour is dark in dark mode, because the colours are light there. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant !== 'filled') return colors;
  const isAction = input.color === undefined || input.color === 'action';
  return { ...colors, color: isAction ? 'var(--on-action)' : 'var(--surface)' };
};

export const theme = createTheme({
  variantColorResolver: variantColors,
  primaryColor: 'action',
  colors: {
    action: token('action'),
    refused: token('refused'),
  },
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-mono)',
  defaultRadius: 8,
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Modal: overlay,
    Drawer: overlay,
    Spotlight: overlay,
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false } },
    Button: { defaultProps: { size: 'sm', renderRoot: buttonRoot } },
    Menu: { defaultProps: { position: 'bottom-end', transitionProps: { duration: 120 } } },
  },
});
