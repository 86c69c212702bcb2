// Poppler's own renderer, Splash, for pages that its cairo renderer draws wrong. Its interface is C++; these are the
// parts that PDF needs. No exception leaves them.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct splash_page splash_page;
typedef struct splash_pixels splash_pixels;

// Opens the first page of a PDF in memory, which the caller owns and must keep; NULL if it can't be read.
splash_page *splash_page_open(const char *data, int length);
void splash_page_close(splash_page *page);

// Draws `width` x `height` pixels of the page as displayed, from (`left`, `top`) on, at these dots per inch; NULL if
// it can't be drawn. In gray, a picture takes one byte per pixel while it is drawn, instead of four.
splash_pixels *splash_page_draw(
    const splash_page *page, double across, double down, int left, int top, int width, int height,
    int smooths_shapes, int smooths_text, int in_gray);
void splash_pixels_free(splash_pixels *pixels);

// The size, and the pixels: 32 bits each, xRGB in the machine's byte order, or 8 bits of gray; `stride` bytes per row.
int splash_pixels_width(const splash_pixels *pixels);
int splash_pixels_height(const splash_pixels *pixels);
int splash_pixels_stride(const splash_pixels *pixels);
unsigned char *splash_pixels_data(splash_pixels *pixels);

#ifdef __cplusplus
}
#endif
