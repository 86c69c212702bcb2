// Notices text of a PDF that Poppler draws at the end of a path: it has one current point for both, while paths are not
// allowed among text (ISO 32000-1 figure 9), and leave it where it is in other readers.
#include "patches.h"

static const void *moved;
static _Bool is_misplaced;

int places_take(void) {
  const _Bool taken = is_misplaced;
  is_misplaced = 0;
  return taken;
}

// Functions of Poppler, by their names in C++ (see pictures.c): 22 to 26.
#define PATH(name) INSTEAD(name, moved = page, )
#define TEXT_PLACE(name) INSTEAD(name, moved = 0, )
#define TEXT_SHOWN(name) INSTEAD(name, is_misplaced |= moved == page, )

PATH(_ZN3Gfx8opMoveToEP6Objecti)
PATH(_ZN3Gfx8opLineToEP6Objecti)
PATH(_ZN3Gfx9opCurveToEP6Objecti)
PATH(_ZN3Gfx10opCurveTo1EP6Objecti)
PATH(_ZN3Gfx10opCurveTo2EP6Objecti)
PATH(_ZN3Gfx11opClosePathEP6Objecti)
PATH(_ZN3Gfx11opRectangleEP6Objecti)
TEXT_PLACE(_ZN3Gfx11opBeginTextEP6Objecti)
TEXT_PLACE(_ZN3Gfx10opTextMoveEP6Objecti)
TEXT_PLACE(_ZN3Gfx13opTextMoveSetEP6Objecti)
TEXT_PLACE(_ZN3Gfx15opSetTextMatrixEP6Objecti)
TEXT_PLACE(_ZN3Gfx14opTextNextLineEP6Objecti)
TEXT_PLACE(_ZN3Gfx14opMoveShowTextEP6Objecti)
TEXT_PLACE(_ZN3Gfx17opMoveSetShowTextEP6Objecti)
TEXT_SHOWN(_ZN3Gfx10opShowTextEP6Objecti)
TEXT_SHOWN(_ZN3Gfx15opShowSpaceTextEP6Objecti)
// Does not restore the point, but what is drawn in between, such as a drawing of a font, restores it itself.
void _ZN3Gfx12restoreStateEv(void *page) {
  static void (*own)(void *);
  FIND(own, _ZN3Gfx12restoreStateEv);
  own(page);
  moved = 0;
}
static const void *kept;
INSTEAD(_ZN3Gfx9opRestoreEP6Objecti, kept = moved, moved = kept)
