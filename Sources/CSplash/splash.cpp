#include "splash.h"

#include <malloc.h>

#include <memory>

#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-image.h>
#include <poppler/cpp/poppler-page-renderer.h>
#include <poppler/cpp/poppler-page.h>

struct splash_page {
  std::unique_ptr<poppler::document> document;
  std::unique_ptr<poppler::page> page;
};

struct splash_pixels {
  poppler::image image;
};

splash_page *splash_page_open(const char *data, int length) {
  // Splash takes and frees pixels of the page's size for each group, mask and tile. If malloc(3) keeps them, the kernel
  // doesn't have to clear them each time, which took up to a quarter of the time. A piece of a page has 72 MB at most; a
  // whole picture that is larger would leave a hole too small for the next one.
  mallopt(M_MMAP_THRESHOLD, 80 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  try {
    auto opened = std::make_unique<splash_page>();
    opened->document.reset(poppler::document::load_from_raw_data(data, length));
    if (!opened->document || opened->document->is_locked()) return nullptr;
    opened->page.reset(opened->document->create_page(0));
    return opened->page ? opened.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void splash_page_close(splash_page *page) {
  delete page;
  malloc_trim(0);
}

splash_pixels *splash_page_draw(
    const splash_page *page, double across, double down, int left, int top, int width, int height,
    int smooths_shapes, int smooths_text, int in_gray) {
  try {
    poppler::page_renderer renderer;
    renderer.set_image_format(
        in_gray ? poppler::image::format_gray8 : poppler::image::format_argb32);
    renderer.set_render_hint(poppler::page_renderer::antialiasing, smooths_shapes);
    renderer.set_render_hint(poppler::page_renderer::text_antialiasing, smooths_text);
    auto drawn = std::make_unique<splash_pixels>();
    drawn->image = renderer.render_page(page->page.get(), across, down, left, top, width, height);
    return drawn->image.is_valid() ? drawn.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void splash_pixels_free(splash_pixels *pixels) { delete pixels; }

int splash_pixels_width(const splash_pixels *pixels) { return pixels->image.width(); }
int splash_pixels_height(const splash_pixels *pixels) { return pixels->image.height(); }
int splash_pixels_stride(const splash_pixels *pixels) { return pixels->image.bytes_per_row(); }
unsigned char *splash_pixels_data(splash_pixels *pixels) {
  return reinterpret_cast<unsigned char *>(pixels->image.data());
}
