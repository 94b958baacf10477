/** Indices into MediaPipe's 478-point face mesh. "Right" is the person's right, on the image's left. */
export const FOREHEAD = 10;
export const CHIN = 152;
export const CHEEK_RIGHT = 234;
export const CHEEK_LEFT = 454;
export const MOUTH_CORNER_RIGHT = 61;
export const MOUTH_CORNER_LEFT = 291;
export const UPPER_LIP = 13;
export const LOWER_LIP = 14;

/* oxfmt-ignore */
export const OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150,
  136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
];
/* oxfmt-ignore */
export const INNER_MOUTH = new Set([
  78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 191, 80, 81, 82, 13, 312, 311, 310, 415,
]);
/* oxfmt-ignore */
export const LOWER_LIP_POINTS = new Set([
  146, 91, 181, 84, 17, 314, 405, 321, 375, 95, 88, 178, 87, 14, 317, 402, 318, 324, 77, 90, 180, 85, 16, 315, 404,
  320, 307, 96, 89, 179, 86, 15, 316, 403, 319, 325,
]);
/** Where upper and lower lip meet: they follow the jaw only a little. */
export const MOUTH_CORNERS = new Set([78, 308, 61, 291, 62, 292, 76, 306]);

/** Lid edges from the outer to the inner corner, upper above lower; `fold` is the row above the upper lid. */
export const EYES = {
  right: {
    upper: [246, 161, 160, 159, 158, 157, 173],
    lower: [7, 163, 144, 145, 153, 154, 155],
    fold: [247, 30, 29, 27, 28, 56, 190],
  },
  left: {
    upper: [466, 388, 387, 386, 385, 384, 398],
    lower: [249, 390, 373, 374, 380, 381, 382],
    fold: [467, 260, 259, 257, 258, 286, 414],
  },
} as const;
