/* A mistake on purpose, built as the compiled modules are: a campaign begins by seeing AddressSanitizer catch it. */
#include <stdlib.h>

int planted_read(int size, int at) {
    volatile char *bytes = calloc(size, 1);
    int byte = bytes[at];
    free((void *)bytes);
    return byte;
}
